import { keys } from '../core/keys.ts';
import { getItem, getItems, type Item } from '../core/table.ts';
import { sendOrThrow } from '../notifications/queue-store.ts';
import { fromTransactionItem } from '../transactions/transaction-row.ts';
import type { ProcessorEvent, ProcessorName } from './processor.ts';
import type { Route } from './routing.ts';
import { fromSiteProcessorsItem } from './site-processors-row.ts';

/** The site's accounts at a processor, those included that nothing is routed to any more: their refunds are still told. */
export const accountsAt = async (sid: number, processor: ProcessorName): Promise<readonly Route[]> => {
  const { routes, retired } = fromSiteProcessorsItem(await getItem(keys.siteProcessors(sid)));
  const accounts = [...routes, ...retired].filter((route) => route.processor === processor);
  return accounts.filter((route, index) => accounts.findIndex(({ id }) => id === route.id) === index);
};

/** Of a reference, or of a transaction. */
const siteOf = (row: Item): unknown => row['sid'] ?? fromTransactionItem(row).sid;

/** As many of either kind as one read takes; a webhook is about a handful. */
const mostNames = 50;
const distinct = <T>(names: readonly T[]): T[] => [...new Set(names)].slice(0, mostNames);

/**
 * Has a site's transactions that events are about asked for anew. What none of them is about is left alone: the same account
 * may serve other systems, and whoever has one site's secret has no say in another's payments. Throws if the queue did not
 * take a message, so that the processor sends the webhook again.
 */
export const settleEvents = async (
  { sid, processor }: { sid: number; processor: ProcessorName },
  events: readonly ProcessorEvent[],
): Promise<void> => {
  const wanted = [
    ...distinct(events.flatMap(({ references }) => references)).map((one) => keys.processorReference(processor, one)),
    ...distinct(events.flatMap(({ txid }) => txid ?? [])).map((txid) => keys.transaction(txid)),
  ];
  const rows = wanted.length > 0 ? await getItems(wanted) : [];
  const txids = new Set(rows.flatMap((row) => (row && siteOf(row) === sid ? [Number(row['txid'] ?? row['id'])] : [])));
  await sendOrThrow([...txids].map((txid) => ({ queue: 'settlement', body: { txid, told: true } })));
};

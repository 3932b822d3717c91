import { keys } from '../core/keys.ts';
import { getItem, getItems } from '../core/table.ts';
import { sendOrThrow } from '../notifications/queue-store.ts';
import type { ProcessorEvent, ProcessorName } from './processor.ts';
import type { Route } from './routing.ts';
import { fromSiteProcessorsItem } from './site-processors-row.ts';

/** The site's accounts at a processor, those included that nothing is routed to any more: their refunds are still told. */
export const accountsAt = async (sid: number, processor: ProcessorName): Promise<readonly Route[]> => {
  const { routes, retired } = fromSiteProcessorsItem(await getItem(keys.siteProcessors(sid)));
  const accounts = [...routes, ...retired].filter((route) => route.processor === processor);
  return accounts.filter((route, index) => accounts.findIndex(({ id }) => id === route.id) === index);
};

/** As many as one read takes; a webhook is about a handful. */
const mostReferences = 100;

/**
 * Has the transactions that events are about asked for anew. What none of ours is about is left alone: the same account may
 * serve other systems. Throws if the queue did not take a message, so that the processor sends the webhook again.
 */
export const settleEvents = async (processor: ProcessorName, events: readonly ProcessorEvent[]): Promise<void> => {
  const references = [...new Set(events.flatMap((event) => event.references))].slice(0, mostReferences);
  const rows =
    references.length > 0 ? await getItems(references.map((one) => keys.processorReference(processor, one))) : [];
  const named = events.flatMap(({ txid }) => txid ?? []);
  const txids = new Set([...named, ...rows.flatMap((row) => (row ? Number(row['txid']) : []))]);
  await sendOrThrow([...txids].map((txid) => ({ queue: 'settlement', body: { txid, told: true } })));
};

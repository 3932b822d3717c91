import { nowIso } from '../core/clock.ts';
import { keys } from '../core/keys.ts';
import { getItem, getItems, putItem } from '../core/table.ts';
import { sendOrThrow } from '../notifications/queue-store.ts';
import { type DisputePlace, disputeIdOf } from '../processors/dispute.ts';
import type { ProcessorEvent, ProcessorName } from '../processors/processor.ts';
import type { Route } from '../processors/routing.ts';
import { fromSiteProcessorsItem } from '../processors/site-processors-row.ts';
import { disputeNoticeItem } from './dispute-notice-row.ts';
import { fromTransactionItem } from './transaction-row.ts';

/** The site's accounts at a processor, those included that nothing is routed to any more: their refunds are still told. */
export const accountsAt = async (sid: number, processor: ProcessorName): Promise<readonly Route[]> => {
  const { routes, retired } = fromSiteProcessorsItem(await getItem(keys.siteProcessors(sid)));
  const accounts = [...routes, ...retired].filter((route) => route.processor === processor);
  return accounts.filter((route, index) => accounts.findIndex(({ id }) => id === route.id) === index);
};

/** As many as one read takes; a webhook is about a handful. */
const mostAsked = 50;

/**
 * Has the transactions of a site that events are about asked for anew. What none of them is about is left alone: the same
 * account may serve other systems, and who has one site's secret has no say in another's payments. Throws if the queue did not
 * take a message, so that the processor sends the webhook again.
 */
export const settleEvents = async (
  sid: number,
  processor: ProcessorName,
  events: readonly ProcessorEvent[],
): Promise<void> => {
  const references = [...new Set(events.flatMap((event) => event.references))].slice(0, mostAsked);
  const named = [...new Set(events.flatMap(({ txid }) => txid ?? []))].slice(0, mostAsked);
  if (references.length + named.length === 0) return;
  const rows = await getItems([
    ...references.map((one) => keys.processorReference(processor, one)),
    ...named.map((txid) => keys.transaction(txid)),
  ]);
  const known = rows.slice(0, references.length).flatMap((row) => (row?.['sid'] === sid ? Number(row['txid']) : []));
  const own = rows.slice(references.length).flatMap((row) => {
    const transaction = row && fromTransactionItem(row);
    return transaction?.sid === sid ? transaction.txid : [];
  });
  const txids = new Set([...own, ...known]);
  await sendOrThrow([...txids].map((txid) => ({ queue: 'settlement', body: { txid, told: true } })));
};

/**
 * Notes the disputes that events are about, each of which is then asked for at the processor: at once by its message, and by
 * every sweep until that was done. Throws where that could not be noted, so that the processor sends the webhook again.
 */
export const noteDisputes = async (
  account: Omit<DisputePlace, 'reference'>,
  events: readonly ProcessorEvent[],
): Promise<void> => {
  const references = [...new Set(events.flatMap(({ dispute }) => dispute ?? []))].slice(0, mostAsked);
  const places = references.map((reference) => ({ ...account, reference }));
  for (const place of places) await putItem(disputeNoticeItem({ place, at: nowIso() }));
  await sendOrThrow(places.map((place) => ({ queue: 'chargebacks', body: { noticeId: disputeIdOf(place) } })));
};

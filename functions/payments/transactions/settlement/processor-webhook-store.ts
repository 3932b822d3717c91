import { nowIso } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { type DisputeAccount, disputeIdOf } from '#payments/processors/ports/dispute.ts';
import type { ProcessorEvent } from '#payments/processors/ports/processor.ts';
import type { AnyProcessorName, ProcessorName } from '#payments/processors/ports/processors.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import { disputeNoticeDue } from '../dispute/dispute-notice-due.ts';
import { disputeNoticeItem } from '../dispute/dispute-notice-row.ts';
import { mayComeBack, type Transaction } from '../transaction/transaction.ts';
import { fromTransactionItem } from '../transaction/transaction-row.ts';
import { newsDue } from './news-due.ts';
import { newsItem } from './news-row.ts';

/** The site's accounts at a processor, those included that nothing is routed to any more: their refunds are still told. */
export const accountsAt = async (sid: number, processor: AnyProcessorName): Promise<readonly Route[]> => {
  const { routes, retired } = fromSiteProcessorsItem(await getItem(keys.siteProcessors(sid)));
  const accounts = [...routes, ...retired].filter((route) => route.processor === processor);
  return accounts.filter((route, index) => accounts.findIndex(({ id }) => id === route.id) === index);
};

/** As many as one read takes; a webhook is about a handful. */
const maxAsked = 50;

/**
 * Requests a new query of the processor for each transaction of the site that events name: immediately by a message, and by every
 * sweep until it is done. Other events are ignored: the same account may serve other systems, and one site's secret must not affect
 * another site's payments. Throws if the request could not be stored, so that the processor sends the webhook again.
 */
export const settleEvents = async (
  sid: number,
  processor: ProcessorName,
  events: readonly ProcessorEvent[],
): Promise<void> => {
  const references = [...new Set(events.flatMap((event) => event.references))].slice(0, maxAsked);
  const named = [...new Set(events.flatMap(({ txid }) => txid ?? []))].slice(0, maxAsked);
  if (references.length + named.length === 0) return;
  const rows = await getItems([
    ...references.map((one) => keys.processorReference(processor, one)),
    ...named.map((txid) => keys.transaction(txid)),
  ]);
  const known = rows.slice(0, references.length).flatMap((row) => (row?.['sid'] === sid ? Number(row['txid']) : []));
  const read = rows.slice(references.length).flatMap((row) => (row ? fromTransactionItem(row) : []));
  const unread = [...new Set(known)].filter((txid) => !read.some((one) => one.txid === txid));
  const others = unread.length === 0 ? [] : await getItems(unread.map((txid) => keys.transaction(txid)));
  const told = [...read, ...others.flatMap((row) => (row ? fromTransactionItem(row) : []))].filter(
    (transaction) => transaction.sid === sid && isNews(transaction),
  );
  const at = nowIso();
  for (const { txid } of told) await putItem(newsItem({ txid, toldAt: at, at, tries: 0 }));
  await sendOrThrow(told.map(({ txid }) => newsDue.message({ txid, told: true })));
};

/** A final transaction is not checked again, whatever webhook names it. */
const isNews = (transaction: Transaction): boolean => transaction.status !== 'OK' || mayComeBack(transaction);

/**
 * Notes the disputes and fraud warnings that events are about, or that there are some. The processor is then asked about them:
 * immediately by a message, and by every sweep until that is done. Throws if that could not be noted, so that the processor sends
 * the webhook again.
 */
export const noteDisputes = async (account: DisputeAccount, events: readonly ProcessorEvent[]): Promise<void> => {
  const disputes = [...new Set(events.flatMap(({ dispute }) => dispute ?? []))].map((reference) => ({ reference }));
  const warnings = [...new Set(events.flatMap(({ warning }) => warning ?? []))].map((reference) => ({
    reference,
    isWarning: true as const,
  }));
  const news = events.some(({ hasDisputes }) => hasDisputes) ? [{ reference: '', isAccount: true as const }] : [];
  // The settlement of a payment that was taken here asks about it.
  const failed = 'mid' in account ? [...new Set(events.flatMap((event) => event.refundFailed ?? []))] : [];
  const refunds = failed.map((refundFailed) => ({ reference: `refund of ${refundFailed}`, refundFailed }));
  const notices = [...news, ...disputes, ...warnings, ...refunds].slice(0, maxAsked).map(({ reference, ...what }) => ({
    place: { ...account, reference },
    at: nowIso(),
    ...what,
  }));
  for (const notice of notices) await putItem(disputeNoticeItem(notice));
  await sendOrThrow(notices.map(({ place }) => disputeNoticeDue.message({ noticeId: disputeIdOf(place) })));
};

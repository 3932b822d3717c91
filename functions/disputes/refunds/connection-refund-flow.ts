import { iso, latest, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Write } from '#core/platform/table/table.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { getAlert } from '#disputes/alerts/alert-store.ts';
import { answerOfRefund } from '#disputes/alerts/answer/refund-answer.ts';
import {
  type AnswerRows,
  answerByRefund,
  answerKeys,
  awaitRefund,
  type ChangeOfAlert,
} from '#disputes/alerts/answer/refund-answer-store.ts';
import { entryOfChange } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { type FindConnected, findConnectedProcessor } from '#disputes/connections/connected-processor-flow.ts';
import type { ConnectedProcessor, RefundState } from '#payments/processors/ports/connected-processor.ts';
import { automaticAfter } from './alert-after-refund.ts';
import { doExtras } from './extras/aftermath-flow.ts';
import { type AlertRefund, afterAnswer, isLeased, isRefundFinal, refundRequestOf } from './refund.ts';
import { type RefundMessage, refundDue } from './refund-due.ts';
import { fromRefundItem, type RefundRow } from './refund-row.ts';
import { leaseRefund, readAlertRefund, recordRefund } from './refund-store.ts';

export type { FindConnected };
export type Means = { findConnected?: FindConnected };

/** The result of asking, not written yet: the refund as it was leased, and as it is afterwards. */
export type RefundInquiry = { leased: RefundRow; after: RefundRow };

/**
 * Asks a merchant's processor for a reserved refund, or about one that may have been requested already; undefined if another
 * worker is busy with it, or there is nothing to ask. The answer is not written yet: if killed now, the processor is asked about it.
 */
export const askForRefund = async (
  row: RefundRow,
  { findConnected = findConnectedProcessor }: Means = {},
): Promise<RefundInquiry | undefined> => {
  const at = nowIso();
  if (isRefundFinal(row.refund) || isLeased(row.refund, at)) return undefined;
  const connected = await findConnected(row.refund);
  const isFirst = row.refund.state === 'reserved';
  const leased = await leaseRefund(row, randomText(16), at);
  if (!leased) return undefined;
  const answer = await askConnected(leased.refund, connected, isFirst);
  // It may have been begun, or asked about, by a clock that is ahead of this one.
  const answeredAt = latest(nowIso(), leased.refund.begunAt, leased.refund.askedAt);
  return { leased, after: { ...leased, refund: afterAnswer(leased.refund, answer, answeredAt) } };
};

const askConnected = async (
  refund: AlertRefund,
  connected: ConnectedProcessor | undefined,
  isFirst: boolean,
): Promise<RefundState> => {
  if (!connected) {
    // Nothing was asked now; whether it was asked before is still unknown.
    const detail = 'The stored credentials cannot be used';
    return isFirst && refund.tries === 1
      ? { outcome: 'EXC', code: 'no_processor', reference: null }
      : { outcome: 'UNKNOWN', detail };
  }
  try {
    const request = refundRequestOf(refund);
    return await (isFirst ? connected.refund(request) : connected.refundState(request));
  } catch (error) {
    // By contract it never throws; if it does, it is unknown whether it moved money.
    log('error', 'connection_threw', { alertId: refund.alertId, error: describeError(error) });
    return { outcome: 'UNKNOWN', detail: 'The adapter failed' };
  }
};

/**
 * Asks, and writes the result together with its effect on the alert, in one transaction: a refund that is done answers it, one not known
 * yet leaves it in progress, a failed one is shown. Returns the row as it is afterwards.
 */
export const settleRefund = async (row: RefundRow, means: Means = {}): Promise<RefundRow> => {
  const asked = await askForRefund(row, means);
  if (!asked) return (await readAlertRefund(row.refund.alertId)) ?? row;
  const afterwards = await carryOutAftermath(asked.after, means);
  return recordRefund(asked.leased, asked.after, () => alertWrites(asked.after, afterwards));
};

/** Before it is recorded as done: if cut off in between, the processor is asked again and this is repeated. */
const carryOutAftermath = async (
  { refund, begun }: RefundRow,
  { findConnected }: Means,
): Promise<readonly string[]> => {
  if (refund.state !== 'done' || !begun) return [];
  const alert = await getAlert(refund.alertId);
  return alert ? doExtras(alert, begun, findConnected) : [];
};

const alertWrites = async (row: RefundRow, afterwards: readonly string[]): Promise<readonly Write[]> => {
  const { refund } = row;
  // Its network must not hear of an action dated before the refund: if this clock is behind, the answer gets the refund's time and waits for it.
  const at = latest(nowIso(), refund.refund?.payment_gateway_transaction_date);
  const rows = await getItems(answerKeys(refund));
  const change = automaticAfter(row, afterwards);
  if (refund.state === 'done' && refund.answer) {
    const update = answerOfRefund(refund.answer, refund, at);
    const answered = automaticAfter(row, afterwards, update.reason_code);
    return answerByRefund(rows, refund.answer, update, at, answered)?.writes ?? noteRefund(row, rows, change, at);
  }
  if (isRefundFinal(refund)) return noteRefund(row, rows, change, at);
  return (refund.answer && awaitRefund(rows, refund.answer, at, change)?.writes) ?? [];
};

/** A refund that is done, or failed, without answering the alert: the alert and its history show it. */
const noteRefund = ({ refund }: RefundRow, [item]: AnswerRows, change: ChangeOfAlert, at: string): readonly Write[] => {
  const before = item && fromAlertItem(item);
  if (!before) throw new Error(`Alert ${refund.alertId} of a refund is gone`);
  const after = { ...before, ...change(before), version: before.version + 1 };
  const event = refund.state === 'failed' ? 'refund failed' : 'refunded';
  return changedAlertWrites(after, entryOfChange(before, after, event, at, { by: refund.by, via: 'refund' }));
};

/** The time for which a refund is left to the rules that began it, each time they are found still working on it. */
const leftToRules = milliseconds.minute;

/**
 * The worker's part: finds out what became of a refund whose check is due. One that rules have begun, and whose alert they have
 * not decided yet, is left to them. A message that comes early is sent on, unless its check was moved.
 */
export const settleDueRefund = async ({ alertId, slot }: RefundMessage, means: Means = {}): Promise<void> => {
  const [item, decision] = await getItems([keys.refund(alertId), keys.decision(alertId)]);
  const row = fromRefundItem(item);
  if (!row || row.refund.nextCheckAt === null) return;
  const { nextCheckAt } = row.refund;
  const now = nowIso();
  if (isEarly(nextCheckAt, now)) return slot === nextCheckAt ? again(alertId, slot, nextCheckAt) : undefined;
  if (row.begun && decision) return again(alertId, nextCheckAt, iso(Date.parse(now) + leftToRules));
  await settleRefund(row, means);
};

const again = (alertId: number, slot: string, at: string): Promise<void> =>
  sendOrThrow([refundDue.message({ alertId, slot }, { at })]);

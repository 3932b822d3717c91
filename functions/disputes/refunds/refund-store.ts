import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, type TransactionConflict, tryTransact, type Write } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { getAlert } from '#disputes/alerts/alert-store.ts';
import { isAnswerable } from '#disputes/alerts/answer/refund-answer.ts';
import { refundedHereOf } from '#disputes/alerts/automatic/decision-row.ts';
import type { HistoryEntry } from '#disputes/alerts/history/history.ts';
import { linkedHistoryWrite, sameAlertWrite } from '#disputes/alerts/history/history-row.ts';
import { showRefundElsewhere } from '#disputes/lookups/order/order-refund-store.ts';
import { type AlertRefund, isRefundFinal, refundWithLease } from './refund.ts';
import { changedRefundWrite, type FailedBefore, fromRefundItem, newRefundWrite, type RefundRow } from './refund-row.ts';
import { type ChargeTotals, withReserved, withSettled } from './reservation.ts';
import { chargeRefundsWrite, fromChargeRefundsItem } from './reservation-row.ts';

export const readAlertRefund = async (alertId: number): Promise<RefundRow | undefined> =>
  fromRefundItem(await getItem(keys.refund(alertId)));

/**
 * The part of a transaction that reserves a refund at its charge; undefined if too little of the charge is left after refunds begun for
 * other alerts. Its condition fails if another was begun since. `taken`: as the processor has just reported it.
 */
export const reservationWrite = async (refund: AlertRefund, taken: ChargeTotals): Promise<Write | undefined> => {
  const after = withReserved(await readCharge(refund), refund, taken);
  return after && chargeRefundsWrite(after);
};

const readCharge = async ({ connection, reference }: AlertRefund) =>
  fromChargeRefundsItem(await getItem(keys.chargeRefunds(connection, reference)));

/**
 * Reserves a refund. If another process has begun one at a processor meanwhile, returns that one. `alert`: as it was read before the charge
 * was looked up, which takes seconds. Throws amount_not_available, already_refunded_for_dispute, alert_closed, changed_meanwhile.
 */
export const beginRefund = (
  row: RefundRow,
  failed: FailedBefore,
  taken: ChargeTotals,
  alert: Pick<Alert, 'alertId' | 'version'>,
  label: HistoryEntry,
): Promise<RefundRow> =>
  retryOnConflict(
    async () => {
      const reservation = await reservationWrite(row.refund, taken);
      if (!reservation) {
        const words = 'amount: less is left of the charge, as refunds of it for other alerts are under way.';
        throw new Refusal('amount_not_available', words);
      }
      const conflict = await tryTransact({
        refund: newRefundWrite(row, failed),
        reservation,
        alert: sameAlertWrite(alert),
        label: linkedHistoryWrite(alert.alertId, label),
      });
      if (!conflict) return row;
      const stored = conflict.itemOf('refund');
      const other = fromRefundItem(stored);
      if (other && other.refund.version !== failed.elsewhere?.version) return other;
      if (stored && refundedHereOf(stored) !== failed.here) throw refuseRefundedHere(row.refund.alertId, stored);
      throw conflict.on('alert') ? alertChanged(conflict) : conflict;
    },
    { onExhausted: changedMeanwhile },
  );

const alertChanged = (conflict: TransactionConflict<'alert'>): Refusal => {
  const item = conflict.itemOf('alert');
  const alert = item && fromAlertItem(item);
  if (!alert || isAnswerable(alert)) return changedMeanwhile(conflict);
  return new Refusal('alert_closed', `alert_id: the alert is ${alert.status} now; refund it at the processor itself.`);
};

const refuseRefundedHere = (alertId: number, stored: Item): Refusal =>
  new Refusal(
    'already_refunded_for_dispute',
    `alert_id: refund ${refundedHereOf(stored)} was made for dispute alert ${alertId}.`,
  );

/** The writes to its charge, once it is known what became of a refund. */
const settledWrites = async (refund: AlertRefund): Promise<readonly Write[]> => {
  const after = isRefundFinal(refund) ? withSettled(await readCharge(refund), refund) : undefined;
  return after ? [chargeRefundsWrite(after)] : [];
};

/** Leases a refund for the next query of its processor, as it was read; undefined if it was changed or leased meanwhile. */
export const leaseRefund = async (row: RefundRow, attemptId: string, at: string): Promise<RefundRow | undefined> => {
  const after = { ...row, refund: refundWithLease(row.refund, attemptId, at) };
  const conflict = await tryTransact({ refund: changedRefundWrite(row.refund, after) });
  if (!conflict) return after;
  // This same write, whose answer was lost.
  const now = fromRefundItem(conflict.itemOf('refund'));
  return now?.refund.lease?.attemptId === attemptId ? now : undefined;
};

/**
 * Writes the result of asking, with its effect on the alert; tries again if the alert was changed meanwhile. A claim
 * that was over, and has been taken since, leaves no trace but a log line: its new holder asks again. `alongside`: the other
 * parts, made from the present state at each attempt. Returns the row as it is afterwards.
 */
export const recordRefund = async (
  before: RefundRow,
  after: RefundRow,
  alongside: () => Promise<readonly Write[]>,
): Promise<RefundRow> => {
  await showInOrder(after.refund);
  return retryOnConflict(async () => {
    const conflict = await tryTransact({
      refund: changedRefundWrite(before.refund, after),
      alert: await alongside(),
      charge: await settledWrites(after.refund),
    });
    if (!conflict) return after;
    const other = fromRefundItem(conflict.itemOf('refund'));
    if (!other) throw conflict;
    if (sameAs(other.refund, after.refund)) return other;
    log('warn', 'refund_overtaken', { alertId: before.refund.alertId, state: after.refund.state });
    return other;
  });
};

/** Before it is recorded as done: if cut off in between, the processor is asked again and this is repeated. */
const showInOrder = async ({ state, alertId, connection, reference, ...refund }: AlertRefund): Promise<void> => {
  const alert = state === 'done' ? await getAlert(alertId) : undefined;
  if (!alert || !refund.refund) return;
  const { amount, currency, refund: made } = refund;
  const { payment_gateway_reference: own, payment_gateway_transaction_date: at } = made;
  const shown = { amount, currency, at, ...(own !== '' && { reference: own }) };
  await showRefundElsewhere(alert, { refund: shown, connection, reference });
};

/** Checks whether a row is the one that this call wrote before the answer was lost. */
const sameAs = (one: AlertRefund, other: AlertRefund): boolean =>
  one.state === other.state && one.askedAt === other.askedAt && one.checks === other.checks && one.lease === null;

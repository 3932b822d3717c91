import { nowIso } from '#core/kernel/clock.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { isInformational } from '#disputes/alerts/alert.ts';
import {
  type Refunded,
  type RefundPort,
  type RefundRequest,
  RefundStateUnknownError,
} from '#disputes/alerts/automatic/refund-port.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { askForRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { doExtras } from '#disputes/refunds/extras/aftermath-flow.ts';
import { isLeased } from '#disputes/refunds/refund.ts';
import { refundDispute } from '#disputes/refunds/refund-dispute-flow.ts';
import type { RefundRow } from '#disputes/refunds/refund-row.ts';
import { readAlertRefund, recordRefund } from '#disputes/refunds/refund-store.ts';
import { refundedPayment, refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { findPaymentsOfAlert, toGatewayTransaction } from './payment-search-flow.ts';

/**
 * Refunds through the payment's ledger, which allows one refund per alert, by rules or by hand. The payment is held for
 * the alert first, so that a refund that fails leaves it held.
 */
const refundHere = async (request: RefundRequest): Promise<Refunded> => {
  const { alert, transaction, amount, currency, idempotencyKey } = request;
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') return { refunded: false, reason: 'amount_unknown' };
  const { alertId } = alert;
  const parentTxid = Number(transaction.payment_gateway_reference2);
  if (isInformational(alert.providerAlert.type)) return refundUnheld({ parentTxid, money, idempotencyKey });
  await settleDispute(alertId);
  // While the rules ran, a person may have released this payment, or linked another. The payment is read before
  // the hold, so that a later release changes the ledger that was read.
  const parent = await refundedPayment({ parentTxid });
  const hold = fromHoldItem(await getItem(keys.disputeHold(alertId)));
  const isAnother = hold !== undefined && hold.txid !== null && hold.txid !== parentTxid;
  if (isAnother || hold?.ruledOut?.includes(parentTxid)) return { refunded: false, reason: 'payment_not_linked' };
  // A refund reserved before the merchant answered continues; otherwise the merchant's answer counts.
  const dispute = refundDispute({ alertId, by: 'rules', awaited: 'unanswered' });
  return refundOrRefuse({ parentTxid, parent, money, dispute, idempotencyKey, by: 'rules' });
};

/** A warning holds no payment: its refund is one without a dispute, made once by its key. */
const refundUnheld = (order: { parentTxid: number; money: Money; idempotencyKey: string }): Promise<Refunded> =>
  refundOrRefuse({ ...order, dispute: null, by: 'rules' });

const refundOrRefuse = async (request: Parameters<typeof refundThroughLedger>[0]): Promise<Refunded> => {
  try {
    return toOutcome(await refundThroughLedger(request));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'changed_meanwhile') throw error;
    return { refunded: false, reason: error.code === 'alert_not_found' ? 'payment_not_linked' : error.code };
  }
};

/**
 * A refund that a processor has accepted counts as made: banks take days, and it is not requested twice. If it is unknown whether it was
 * accepted, the rules are evaluated again later, and then get the result of the same refund.
 */
const toOutcome = (made: Transaction): Refunded => {
  const { status, error, processorReference, txid } = made;
  if (status === 'EXC') return { refunded: false, reason: error?.code ?? 'refund_failed' };
  if (processorReference === null) throw new RefundStateUnknownError(txid);
  return { refunded: true, transaction: toGatewayTransaction(made), txid };
};

/** Another worker is asking about this refund right now. */
class RefundInProgressError extends RetryLaterError {
  override readonly name = 'RefundInProgressError';
}

/**
 * Asks the merchant's own processor for a reserved refund, or about it. The answer is written at once; the
 * decision that follows from it may be repeated after a crash.
 */
const refundElsewhere = async ({ alert: { alertId } }: RefundRequest): Promise<Refunded> => {
  const row = await readAlertRefund(alertId);
  if (!row) throw new Error(`The refund of alert ${alertId} is gone`);
  const { refund } = await askProcessor(row);
  if (refund.state === 'done' && refund.refund) return { refunded: true, transaction: refund.refund };
  if (refund.state === 'failed') return { refunded: false, reason: refund.error ?? 'refund_failed' };
  if (isLeased(refund, nowIso())) throw new RefundInProgressError(`Alert ${alertId}`);
  return { refunded: 'pending' };
};

/** A request that surely never arrived is sent again at once; the refund counts how often. */
const askProcessor = async (row: RefundRow): Promise<RefundRow> => {
  const asked = await askForRefund(row);
  if (!asked) return row;
  const after = await recordRefund(asked.leased, asked.after, async () => []);
  return after.refund.state === 'reserved' ? askProcessor(after) : after;
};

/**
 * The way to the merchant's payments, here and at its own processors. Sites do not matter here: those that get alerts are never
 * those that take payments.
 */
export const paymentRefunds: RefundPort = {
  findTransactions: findPaymentsOfAlert,
  refund: (request) => (request.place ? refundElsewhere(request) : refundHere(request)),
  doExtras: (alert, wanted) => doExtras(alert, wanted),
};

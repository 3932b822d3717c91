import type { Alert } from '../alerts/alert.ts';
import type { Found, GatewayTransaction, Standing } from '../alerts/automatic/gateway-transaction.ts';
import type { Refunded, RefundPort, RefundRequest } from '../alerts/automatic/refund-port.ts';
import { type Charge, factsOf } from '../connections/charge-search.ts';
import { lookAtCharge, searchCharges } from '../connections/charge-search-flow.ts';
import { connectionsFor } from '../connections/connection.ts';
import { connectionsOf } from '../connections/connection-store.ts';
import { type Candidate, isTrouble, leftOf } from '../connections/gateway.ts';
import { nowIso } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { readFirst } from '../core/listing-store.ts';
import { parseAmount } from '../core/money.ts';
import { RetryLater } from '../core/worker.ts';
import { shownCharge } from '../refunds/charge.ts';
import { askForRefund } from '../refunds/connection-refund-flow.ts';
import { isLeased } from '../refunds/refund.ts';
import type { RefundRow } from '../refunds/refund-row.ts';
import { readRefund, recordRefund } from '../refunds/refund-store.ts';
import { names } from '../transactions/dispute-match.ts';
import { settleDispute } from '../transactions/dispute-store.ts';
import { isChargedBack, isUnsettled, refundable } from '../transactions/ledger.ts';
import { refundThroughLedger } from '../transactions/refund-flow.ts';
import type { Transaction, TxAction } from '../transactions/transaction.ts';
import { scopeOf, transactionEntity, transactionSummary } from '../transactions/transaction-row.ts';
import { getParent, type Known } from '../transactions/transaction-store.ts';

const typeOf: Record<TxAction, string> = {
  PAYMENT: 'sale',
  PREAUTH: 'authorization',
  CAPTURE: 'capture',
  REFUND: 'refund',
  VOID: 'void',
  PAYOUT: 'payout',
};

/** A transaction as notifications name it: by the processor's reference, and by our number. */
const shown = ({ txid, action, processorReference, createdAt }: Transaction): GatewayTransaction => ({
  payment_gateway_reference: processorReference ?? '',
  payment_gateway_reference2: String(txid),
  payment_gateway_tx_type: typeOf[action],
  payment_gateway_transaction_date: createdAt,
});

/** As many as a notification carries. */
const mostShown = 20;

/** Looks among the payments that were taken here and at all of the merchant's own processors, as one. */
const find = async (alert: Alert): Promise<Found> => {
  const { match, unasked } = await searchCharges(alert);
  if (match.found === 'one') return standingOne(alert, match.payment);
  const transactions = match.found === 'many' ? match.payments.slice(0, mostShown).map(shownCharge) : [];
  if (unasked.length > 0) return { found: 'unavailable', transactions };
  if (match.found === 'many') return { found: 'many', transactions };
  return { found: (await hasProcessor(alert)) ? 'none' : 'no_processor' };
};

const standingOne = async (alert: Alert, charge: Charge): Promise<Found> => {
  const transaction = shownCharge(charge);
  if (charge.txid !== null) {
    const parent = await getParent(charge.txid);
    if (!parent) throw new Error(`Payment ${charge.txid} of alert ${alert.alertId} is gone`);
    return { found: 'one', transaction: shown(parent.transaction), standing: standingOf(parent, alert) };
  }
  // What a search saw may have changed since: Stripe's lags by a minute.
  const now =
    alert.owner && charge.connection
      ? await lookAtCharge(alert.owner, charge.connection.id, charge.reference)
      : undefined;
  if (!now || isTrouble(now)) return { found: 'unavailable', transactions: [transaction] };
  const { reference, isSettled } = now;
  const place = { connection: charge.connection?.id ?? '', reference, isSettled };
  return { found: 'one', transaction: shownCharge(now), standing: standingAt(now, alert), place };
};

const standingAt = (candidate: Candidate, { providerAlert }: Alert): Standing => ({
  currency: candidate.money.currency,
  captured: candidate.captured,
  refunded: candidate.refunded,
  left: candidate.isUnclear ? 0n : leftOf(candidate),
  isChargedBack: candidate.isChargedBack,
  isSettledForAlert: false,
  isNamed: names(providerAlert, factsOf(candidate)),
  isWholeOnly: !candidate.isSettled,
});

/** An authorisation is refunded by a void, of the whole. */
const standingOf = ({ transaction, ledger }: Known, { alertId, providerAlert }: Alert): Standing => {
  const dispute = ledger.disputes[alertId];
  const isOpen = isUnsettled(ledger);
  const { authorized, captured, voided, refunded } = ledger;
  return {
    currency: ledger.currency,
    captured: isOpen || captured === 0n ? authorized : captured,
    refunded: refunded + voided,
    left: isOpen ? authorized - voided : refundable(ledger, alertId),
    isChargedBack: isChargedBack(ledger),
    isSettledForAlert: dispute !== undefined && (dispute.refundTxid !== null || dispute.byNetwork === true),
    isNamed: names(providerAlert, transactionSummary(transaction)),
  };
};

/** Whether the merchant has a processor that could be asked: one who has none is told so. */
const hasProcessor = async ({ owner }: Alert): Promise<boolean> => {
  if (!owner) return false;
  if (connectionsFor(await connectionsOf(owner.mid), owner.sid).length > 0) return true;
  const scope = scopeOf.merchant(owner.mid);
  return (await readFirst({ entity: transactionEntity, scopeIndex: 1, scope, order: 'DESC', size: 1 })).length > 0;
};

/**
 * Refunds through the payment's ledger, which allows one refund per alert, whoever asks for it. The payment is held for
 * the alert first, so that a refund that fails leaves it held.
 */
const refundHere = async (request: RefundRequest): Promise<Refunded> => {
  const { alert, transaction, amount, currency, idempotencyKey } = request;
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') return { refunded: false, reason: 'amount_unknown' };
  const { alertId } = alert;
  await settleDispute(alertId);
  const parentTxid = Number(transaction.payment_gateway_reference2);
  try {
    return outcomeOf(await refundThroughLedger({ parentTxid, money, alertId, idempotencyKey, by: 'rules' }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'changed_meanwhile') throw error;
    return { refunded: false, reason: error.code };
  }
};

/**
 * What a processor has taken on counts as refunded: banks take days, and it is not asked a second time. Where nobody knows
 * whether it did, the rules are asked again later, and get the answer of the same refund then.
 */
const outcomeOf = (made: Transaction): Refunded => {
  const { status, error, processorReference, txid } = made;
  if (status === 'EXC') return { refunded: false, reason: error?.code ?? 'refund_failed' };
  if (processorReference === null) throw new Error(`What became of refund ${txid} is not known yet`);
  return { refunded: true, transaction: shown(made) };
};

/** Somebody else asks about this refund just now. */
class RefundUnderWay extends RetryLater {
  override readonly name = 'RefundUnderWay';
}

/**
 * Asks the merchant's own processor for a refund that is reserved, or about it. What it answers is written down at once; the
 * decision that follows from it may be made again after a crash.
 */
const refundElsewhere = async ({ alert: { alertId } }: RefundRequest): Promise<Refunded> => {
  const row = await readRefund(alertId);
  if (!row) throw new Error(`The refund of alert ${alertId} is gone`);
  const { refund } = await askedFor(row);
  if (refund.state === 'done' && refund.refund) return { refunded: true, transaction: refund.refund };
  if (refund.state === 'failed') return { refunded: false, reason: refund.error ?? 'refund_failed' };
  if (isLeased(refund, nowIso())) throw new RefundUnderWay(`Alert ${alertId}`);
  return { refunded: 'pending' };
};

/** What surely never arrived is asked for again at once; the refund counts how often. */
const askedFor = async (row: RefundRow): Promise<RefundRow> => {
  const asked = await askForRefund(row);
  if (!asked) return row;
  const after = await recordRefund(asked.claimed, asked.after, async () => []);
  return after.refund.state === 'reserved' ? askedFor(after) : after;
};

/**
 * The way to the merchant's payments, here and at its own processors. Sites do not matter here: those that get alerts are never
 * those that take payments.
 */
export const paymentRefunds: RefundPort = {
  findTransactions: find,
  refund: (request) => (request.place ? refundElsewhere(request) : refundHere(request)),
};

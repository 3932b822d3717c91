import type { Alert } from '../alerts/alert.ts';
import type { Found, GatewayTransaction, Standing } from '../alerts/automatic/gateway-transaction.ts';
import type { Refunded, RefundPort, RefundRequest } from '../alerts/automatic/refund-port.ts';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { readFirst } from '../core/listing-store.ts';
import { parseAmount } from '../core/money.ts';
import { getItems } from '../core/table.ts';
import { names } from '../transactions/dispute-match.ts';
import { matchFor, settleDispute } from '../transactions/dispute-store.ts';
import { isChargedBack, isUnsettled, refundable } from '../transactions/ledger.ts';
import { refundThroughLedger } from '../transactions/refund-flow.ts';
import type { Transaction, TxAction } from '../transactions/transaction.ts';
import {
  fromTransactionItem,
  scopeOf,
  transactionEntity,
  transactionSummary,
} from '../transactions/transaction-row.ts';
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
const mostRead = 20;

const readShown = async (txids: readonly number[]): Promise<GatewayTransaction[]> => {
  const items = await getItems(txids.slice(0, mostRead).map((txid) => keys.transaction(txid)));
  return items.flatMap((item) => (item ? [shown(fromTransactionItem(item))] : []));
};

const find = async (alert: Alert): Promise<Found> => {
  const match = await matchFor(alert);
  if (match.found === 'none') return { found: (await hasPayments(alert)) ? 'none' : 'no_processor' };
  if (match.found === 'many') return { found: 'many', transactions: await readShown(match.txids) };
  const parent = await getParent(match.txid);
  if (!parent) throw new Error(`Payment ${match.txid} of alert ${alert.alertId} is gone`);
  return { found: 'one', transaction: shown(parent.transaction), standing: standingOf(parent, alert) };
};

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

/** Whether the merchant has ever made a payment here: one who has not is told that there is no processor of theirs. */
const hasPayments = async ({ owner }: Alert): Promise<boolean> => {
  if (!owner) return false;
  const scope = scopeOf.merchant(owner.mid);
  return (await readFirst({ entity: transactionEntity, scopeIndex: 1, scope, order: 'DESC', size: 1 })).length > 0;
};

/**
 * Refunds through the payment's ledger, which allows one refund per alert, whoever asks for it. The payment is held for
 * the alert first, so that a refund that fails leaves it held.
 */
const refund = async ({ alert, transaction, amount, currency, idempotencyKey }: RefundRequest): Promise<Refunded> => {
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

/** The way to the merchant's own payments. Sites do not matter: those that get alerts are never those that take payments. */
export const paymentRefunds: RefundPort = { findTransactions: find, refund };

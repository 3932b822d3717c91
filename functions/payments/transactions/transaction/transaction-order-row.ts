import { formatAmount } from '#core/kernel/money/money.ts';
import type { Write } from '#core/platform/table/item.ts';
import type { OrderRefund } from '#payments/orders/order.ts';
import {
  failedOrderWrite,
  followedOrderWrites,
  type PaymentNews,
  type PaymentOfOrder,
  paidOrderWrites,
} from '#payments/orders/payment-order-row.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isTransactionFinal, type Transaction } from './transaction.ts';

/** A payment with its ledger, from which its order is updated. */

type Known = { transaction: Transaction; ledger: Ledger };

/** The forms that orders accept: 23 digits, and up to six characters. */
const arnPattern = /^\d{23}$/;
const authCodePattern = /^[\x21-\x7e]{1,6}$/;
const fitting = (text: string | null, pattern: RegExp): string | null =>
  text !== null && pattern.test(text) ? text : null;

/** Nothing is left of an authorisation that was given up, or that its processor took back. */
const isVoided = ({ voided, authorized }: Ledger): boolean => voided > 0n || authorized === 0n;

const ledgerSums = (ledger: Ledger): PaymentNews['sums'] => {
  const { currency, captured, refunded } = ledger;
  const amountText = (minor: bigint) => formatAmount({ minor, currency });
  return { captured: amountText(captured), refunded: amountText(refunded), voided: isVoided(ledger) };
};

const orderRefund = ({ txid, money, updatedAt: at }: Transaction): OrderRefund => ({
  amount: formatAmount(fromKeptMoney(money)),
  currency: money.currency,
  at,
  reference: String(txid),
});

/**
 * The parts of a transaction's own write that its payment's order needs; none where there is no order, or nothing is known yet.
 * The first one fails its condition where the order is gone.
 */
export const orderWritesOf = (before: Known, after: Known): Write[] => {
  const { transaction } = after;
  const { order, card, parentTxid, mid, sid, txid, action, status } = transaction;
  if (!order || !card || !isTransactionFinal(transaction)) return [];
  const payment: PaymentOfOrder = { txid: parentTxid, mid, sid, card, order };
  const isParent = txid === parentTxid;
  const isFirst = !isTransactionFinal(before.transaction);
  // The order does not show failed attempts of a payment.
  if (isFirst && status === 'EXC') return isParent ? [failedOrderWrite(payment)] : [];
  if (isParent && isFirst) return paidOrderWrites(payment, toNews(after), orderCharge(transaction));
  const refund =
    action === 'REFUND' ? { refund: { txid, refund: status === 'OK' ? orderRefund(transaction) : null } } : {};
  const arn = action === 'CAPTURE' && status === 'OK' ? fitting(transaction.arn, arnPattern) : null;
  return followedOrderWrites(payment, { ...toNews(after), arn, authCode: null, ...refund });
};

const toNews = (known: Known): PaymentNews => ({
  sums: ledgerSums(known.ledger),
  at: known.transaction.updatedAt,
  arn: fitting(known.transaction.arn, arnPattern),
  authCode: fitting(known.transaction.authCode, authCodePattern),
});

const orderCharge = ({ money, processor, processorReference: reference }: Transaction) => ({
  amount: formatAmount(fromKeptMoney(money)),
  currency: money.currency,
  processor,
  reference,
});

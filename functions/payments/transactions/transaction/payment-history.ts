import { iso, milliseconds } from '#core/kernel/clock.ts';
import { timeOfId } from '#core/kernel/ids.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isTransactionFinal, type Transaction, type TxAction } from './transaction.ts';

export const paymentEvents = ['asked', 'done', 'failed', 'disputed', 'charged_back'] as const;

/** One thing that happened to a payment. */
export type PaymentEvent = {
  /** ISO. */
  at: string;
  event: (typeof paymentEvents)[number];
  /** The operation's transaction; null for a dispute. */
  txid: number | null;
  action: TxAction | null;
  amount: string | null;
  currency: string | null;
  /** The person who asked; null: the site, by its rcode. */
  by: string | null;
  alertId: number | null;
  chargebackId: string | null;
  /** Why it failed. */
  why: string | null;
};

/** Requests and results within the duration of one call are one event. */
const longestCall = milliseconds.minute / 2;

const nothing = {
  ...{ txid: null, action: null, amount: null, currency: null },
  ...{ by: null, alertId: null, chargebackId: null, why: null },
};

const ownEvents = (transaction: Transaction): PaymentEvent[] => {
  const { txid, action, status, money, by = null, alertId, error, createdAt, updatedAt } = transaction;
  const amount = formatAmount(fromKeptMoney(money));
  const common = { txid, action, amount, currency: money.currency, by, alertId, chargebackId: null };
  const asked: PaymentEvent = { at: createdAt, event: 'asked', ...common, why: null };
  if (!isTransactionFinal(transaction)) return [asked];
  const event = status === 'OK' ? 'done' : 'failed';
  const ended: PaymentEvent = { at: updatedAt, event, ...common, why: error?.message ?? null };
  const isOneCall = Date.parse(updatedAt) - Date.parse(createdAt) < longestCall;
  return isOneCall ? [ended] : [asked, ended];
};

/** A number of an alert tells when it came in. */
const disputeEvents = ({ disputes }: Ledger): PaymentEvent[] =>
  Object.keys(disputes).map((id) => ({
    ...nothing,
    at: iso(timeOfId(Number(id))),
    event: 'disputed',
    alertId: Number(id),
  }));

/** The chargebacks that were not won; those of earlier releases do not say since when. What a network refunded is none. */
const chargebackEvents = ({ chargebacks = {}, currency }: Ledger): PaymentEvent[] =>
  Object.entries(chargebacks).flatMap(([chargebackId, { minor, openedAt: at, byNetwork }]) =>
    at === undefined || byNetwork
      ? []
      : [{ ...nothing, at, event: 'charged_back', amount: formatAmount({ minor, currency }), currency, chargebackId }],
  );

/** Returns the events of a payment, oldest first, as far as stored data shows them. */
export const listEvents = (payment: Transaction, ledger: Ledger, children: readonly Transaction[]): PaymentEvent[] =>
  [...[payment, ...children].flatMap(ownEvents), ...disputeEvents(ledger), ...chargebackEvents(ledger)].toSorted(
    (left, right) => (left.at === right.at ? 0 : left.at < right.at ? -1 : 1),
  );

import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { fromKeptMoney, keptMoney } from '#payments/payments/kept-money.ts';
import { type Conversion, refundInCharged, refundInOriginal } from '#payments/pricing/rates/conversion.ts';
import {
  isUnsettled,
  type Ledger,
  type Reservation,
  type ReservationRefusal,
  refundable,
  refundedInOriginal,
  reservationRefusalOf,
  wholeSum,
} from '../ledger/ledger.ts';
import { reserveInLedger } from '../ledger/ledger-changes.ts';
import {
  firstCheck,
  newIdempotencyKey,
  type RefundAnswer,
  type Transaction,
  toResult,
} from '../transaction/transaction.ts';

/** Operations on an existing payment: refunds, voids and captures. */

/** A new operation and its parent's ledger with it reserved: what is written before the processor is asked. */
export type Planned = { transaction: Transaction; ledger: Ledger };

type Asked = Pick<Reservation, 'kind' | 'minor' | 'alertId' | 'again'> & {
  tid: string | null;
  conversion: Conversion | null;
  by?: string;
  answer?: RefundAnswer | undefined;
};

/** Reserves for an operation of this kind and makes its transaction. `at`: ISO. Throws what words says if it may not be done. */
const plan = (
  parent: Transaction,
  ledger: Ledger,
  { tid, conversion, by, answer, ...asked }: Asked,
  at: string,
): Planned => {
  const txid = newTimedId();
  const original = conversion && asked.kind === 'REFUND' ? { original: fromKeptMoney(conversion.original).minor } : {};
  const wanted: Reservation = { txid, ...asked, ...original };
  const objection = reservationRefusalOf(ledger, wanted);
  if (objection) throw refusalFor(objection, ledger, wanted);
  const { told: _, ...ofPayment } = parent;
  const transaction: Transaction = {
    ...ofPayment,
    txid,
    action: wanted.kind,
    status: 'PEND',
    money: keptMoney({ minor: wanted.minor, currency: ledger.currency }),
    tid,
    processorReference: null,
    idempotencyKey: newIdempotencyKey(txid),
    arn: null,
    authCode: null,
    conversion,
    fraud: null,
    alertId: wanted.alertId,
    ...(by !== undefined && { by }),
    ...(answer && { answer }),
    nextCheckAt: firstCheck(at),
    checks: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  return { transaction, ledger: reserveInLedger(ledger, wanted) };
};

export type RefundAsked = {
  /** Null: what is left, in `currency` if the caller names one. */
  money: Money | null;
  currency?: string | undefined;
  alertId: number | null;
  tid: string | null;
  by: string;
  /** Although the merchant has said that it was given back elsewhere. */
  again?: boolean;
  planAnswer?: PlanAnswer | undefined;
};

/** Returns the answer to a dispute alert for a refund of so much (in minor units) of the charge. */
export type PlanAnswer = (charged: { captured: bigint; currency: string }, minor: bigint) => RefundAnswer;

/**
 * A refund of a payment, or the void of an authorisation that is not captured. `at`: ISO. Throws request_invalid,
 * refund_not_allowed, transaction_state_wrong, amount_not_available, dispute_open.
 */
export const planPaymentRefund = (
  parent: Transaction,
  ledger: Ledger,
  asked: RefundAsked,
  { site, at }: { site: Site; at: string },
): Planned => {
  const { alertId, tid, by, planAnswer, again = false } = asked;
  checkPaid(parent);
  const money = asked.money ?? refundRest(ledger, alertId);
  checkCurrency(parent, { ...money, currency: asked.money ? money.currency : (asked.currency ?? money.currency) });
  if (money.minor <= 0n) throw new Refusal('request_invalid', 'amount: must be above 0');
  const minor = toCharged(parent, ledger, money);
  const answer = planAnswer?.({ captured: wholeSum(ledger), currency: ledger.currency }, minor);
  if (isUnsettled(ledger)) {
    return plan(parent, ledger, { kind: 'VOID', minor, alertId, tid, by, answer, conversion: null }, at);
  }
  checkAllowed(parent, site, at);
  if (ledger.captured === 0n) {
    throw new Refusal('transaction_state_wrong', 'The capture is under way; send this again once its result is known.');
  }
  const conversion = parent.conversion && refundConversion(parent.conversion, ledger, { minor, asked: money });
  return plan(
    parent,
    ledger,
    { kind: 'REFUND', minor, alertId, tid, by, answer, conversion, ...(again && { again }) },
    at,
  );
};

/** The rest of a payment that can be refunded or voided; the whole if nothing is left, for which the ledger knows the refusal. */
const refundRest = (ledger: Ledger, alertId: number | null): Money => {
  const rest = isUnsettled(ledger) ? 0n : refundable(ledger, alertId);
  return { minor: rest > 0n ? rest : wholeSum(ledger), currency: ledger.currency };
};

/** The capture of an authorisation, as a whole. Throws transaction_state_wrong, amount_not_available. */
export const planCapture = (parent: Transaction, ledger: Ledger, minor: bigint, at: string): Planned => {
  checkPaid(parent);
  const { tid, conversion } = parent;
  const asked = { kind: 'CAPTURE', minor, alertId: null, tid, conversion } as const;
  return plan(parent, ledger, asked, at);
};

const checkPaid = ({ action, status }: Transaction): void => {
  if (action === 'PAYOUT')
    throw new Refusal('transaction_state_wrong', 'A payout can be neither refunded nor captured.');
  if (status === 'EXC') throw new Refusal('transaction_state_wrong', 'The payment failed.');
  if (status === 'PEND') {
    throw new Refusal('transaction_state_wrong', 'The outcome of the payment is not known yet.');
  }
};

/** By the settings of the payment's site: `allow_refund` 0 allows none, `allow_refund_time` is days after the payment. */
const checkAllowed = ({ createdAt }: Transaction, { payment }: Site, at: string): void => {
  if (Number(payment?.['allow_refund']) === 0) {
    throw new Refusal('refund_not_allowed', 'The settings of the site allow no refunds (allow_refund).');
  }
  const days = Number(payment?.['allow_refund_time'] ?? 0);
  if (days > 0 && Date.parse(at) > Date.parse(createdAt) + days * milliseconds.day) {
    throw new Refusal(
      'refund_not_allowed',
      `The settings of the site allow refunds within ${days} days of the payment (allow_refund_time).`,
    );
  }
};

const checkCurrency = ({ conversion, money: charged }: Transaction, { currency }: Money): void => {
  const original = conversion?.original.currency;
  if (currency === charged.currency || currency === original) return;
  const words = original ? `, for ${original}; refund it in one of these.` : '; refund it in that currency.';
  throw new Refusal('request_invalid', `currency: the payment was charged in ${charged.currency}${words}`);
};

/** A converted payment in both its currencies, and what of it is refunded or about to be. */
const convertedSoFar = ({ original }: Conversion, ledger: Ledger) => {
  return {
    original: fromKeptMoney(original).minor,
    charged: wholeSum(ledger),
    refundedCharged: ledger.captured - refundable({ ...ledger, disputes: {} }),
    refundedOriginal: refundedInOriginal(ledger),
  };
};

/** Converts an amount in either currency of a payment to the part of the charge to refund. Throws amount_not_available. */
const toCharged = ({ conversion }: Transaction, ledger: Ledger, { minor, currency }: Money): bigint => {
  if (!conversion || currency === ledger.currency) return minor;
  const soFar = convertedSoFar(conversion, ledger);
  const text = (amount: bigint): string => `${formatAmount({ minor: amount, currency })} ${currency}`;
  const left = soFar.original - soFar.refundedOriginal;
  if (minor > left) {
    throw new Refusal('amount_not_available', `amount: ${text(left)} of ${text(soFar.original)} can be refunded.`);
  }
  const charged = refundInCharged(soFar, minor);
  if (charged <= 0n) throw new Refusal('request_invalid', `amount: rounds to nothing in ${ledger.currency}.`);
  return charged;
};

/** A refund takes the rate of the payment; the refund that completes it takes what is left of the original amount. */
const refundConversion = (
  conversion: Conversion,
  ledger: Ledger,
  { minor, asked }: { minor: bigint; asked: Money },
): Conversion | null => {
  const soFar = convertedSoFar(conversion, ledger);
  // A request for too much is refused with better words further on.
  if (soFar.refundedCharged + minor > soFar.charged) return null;
  const { currency } = conversion.original;
  const part = asked.currency === currency ? asked.minor : refundInOriginal({ ...soFar, refundCharged: minor });
  return { ...conversion, original: keptMoney({ minor: part, currency }) };
};

const refusalFor = (objection: ReservationRefusal, ledger: Ledger, { kind, alertId }: Reservation): Refusal => {
  const text = (minor: bigint): string => `${formatAmount({ minor, currency: ledger.currency })} ${ledger.currency}`;
  switch (objection) {
    case 'charged_back':
      return new Refusal(
        'charged_back',
        'Its issuer has taken the money, or is about to: a refund would pay it twice.',
      );
    case 'refunded_by_network':
      return new Refusal(
        'already_refunded_for_dispute',
        'The card network has refunded the cardholder: a refund would pay it twice.',
      );
    case 'too_much': {
      const left = refundable({ ...ledger, disputes: {} });
      return new Refusal('amount_not_available', `amount: ${text(left)} of ${text(ledger.captured)} can be refunded.`);
    }
    case 'not_whole':
      return new Refusal(
        'amount_not_available',
        kind === 'VOID'
          ? `amount: what is not captured can only be voided in full; send ${text(ledger.authorized)}.`
          : `amount: must be what was authorised, ${text(ledger.authorized)}.`,
      );
    case 'held_by_dispute':
      return new Refusal('dispute_open', disputeWords(ledger, alertId, text));
    case 'already_refunded_for_dispute': {
      return new Refusal('already_refunded_for_dispute', refundedWords(ledger, alertId));
    }
    case 'already_voided':
      return new Refusal('transaction_state_wrong', 'The authorisation was voided.');
    case 'already_captured':
      return new Refusal('transaction_state_wrong', 'The payment is captured.');
    case 'nothing_authorized':
      return new Refusal('transaction_state_wrong', 'Nothing is authorised.');
    case 'busy':
      return new Refusal(
        'transaction_state_wrong',
        'A capture or a void is under way; send this again once its result is known.',
      );
  }
};

const refundedWords = (ledger: Ledger, alertId: number | null): string => {
  const { refundTxid = null, byNetwork } = ledger.disputes[alertId ?? 0] ?? {};
  if (refundTxid !== null) return `alert_id: refund ${refundTxid} was made for dispute alert ${alertId}.`;
  if (byNetwork) return `alert_id: the network has refunded dispute alert ${alertId}.`;
  const [id] = Object.entries(ledger.disputes).find(([, { elsewhere }]) => elsewhere !== undefined) ?? [];
  return `amount: dispute alert ${id} was answered as refunded elsewhere; a manager may refund it again, with again=true.`;
};

const disputeWords = (ledger: Ledger, alertId: number | null, text: (minor: bigint) => string): string => {
  const holders = Object.entries(ledger.disputes).filter(([id, { held }]) => held > 0n && Number(id) !== alertId);
  const named = holders.map(([id, { held, byNetwork }]) =>
    byNetwork
      ? `the network has refunded dispute alert ${id} by itself, ${text(held)}`
      : `dispute alert ${id} holds ${text(held)}`,
  );
  const first = holders.find(([, { byNetwork }]) => !byNetwork)?.[0];
  const advice = first === undefined ? '' : `; to refund for it, send alert_id=${first}`;
  return `alert_id: ${named.join(', ')}${advice}. Free are ${text(refundable(ledger, alertId))}.`;
};

/** Returns a refund as its merchant sees it: interface §2.3. */
export const refundResult = (transaction: Transaction) => {
  const { txid, parent_txid, status, tx_action, amount, currency, tid, ref1, ref2, ref3, ref4, ...rest } =
    toResult(transaction);
  const { amount_text, original_amount, original_currency, fxrate } = rest;
  return {
    sid: transaction.sid,
    status,
    parent_txid,
    txid,
    tx_action,
    amount,
    amount_text,
    currency,
    tid,
    ref1,
    ref2,
    ref3,
    ref4,
    ...(original_currency !== undefined && { original_amount, original_currency, fxrate }),
    comment: tx_action === 'VOID' ? 'The payment was not captured; its authorisation is voided as a whole.' : '',
    descriptor: transaction.descriptor ?? '',
    pay_method: transaction.card?.scheme ?? '',
    ...(rest.error_code !== undefined && { error_code: rest.error_code, error_msg: rest.error_msg }),
  };
};

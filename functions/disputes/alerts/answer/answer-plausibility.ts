import { datePart, milliseconds } from '#core/kernel/clock.ts';
import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { Alert } from '../alert.ts';
import { partlyRefundedCode, refundedCode } from '../automatic/actions.ts';
import { disputedMoney } from '../disputed-money.ts';
import type { AlertUpdate } from './alert-update.ts';
import { statesRefund } from './reason-codes.ts';

/** The longest time by which the date of an action may be ahead: clocks differ, and a refund may be set for the next day. */
const maxAhead = milliseconds.day;

/** The amount charged, and the disputed amount where the provider states one. */
const statedSums = ({ providerAlert: { amount, currency, disputeAmount, disputeCurrency } }: Alert): Money[] =>
  [parseAmount(amount, currency), parseAmount(disputeAmount, disputeCurrency)].filter(
    (money): money is Money => typeof money !== 'string',
  );

const asWords = (money: Money): string => `${formatAmount(money)} ${money.currency}`;

/** The fields in which the amount and the date were sent. */
const amountField = ({ refunded_elsewhere: elsewhere }: AlertUpdate): string =>
  elsewhere?.amount === undefined ? 'alert_outcome_amount' : 'refunded_elsewhere.amount';
const dateField = ({ refunded_elsewhere: elsewhere }: AlertUpdate): string =>
  elsewhere === undefined ? 'alert_outcome_action_date' : 'refunded_elsewhere.date';

const wrongAmount = (alert: Alert, update: AlertUpdate, currency: string) => {
  const { alert_outcome_amount: text = '', reason_code } = update;
  const amount = parseAmount(text, currency);
  if (typeof amount === 'string') return [];
  if (amount.minor === 0n && statesRefund(reason_code)) {
    return [`${amountField(update)}: must be above 0 with reason code ${reason_code}, which says that it was refunded`];
  }
  const known = statedSums(alert).filter((money) => money.currency === currency);
  if (known.length === 0 || known.some(({ minor }) => amount.minor <= minor)) return [];
  return [`${amountField(update)}: must not be above what was charged or disputed, ${known.map(asWords).join(' or ')}`];
};

const wrongCurrency = (alert: Alert, currency: string): string[] => {
  const known = [...new Set(statedSums(alert).map((money) => money.currency))];
  if (known.length === 0 || known.includes(currency)) return [];
  return [`alert_outcome_currency: must be ${known.join(' or ')}, as the transaction or the dispute`];
};

/** Providers give the day and invent the time of day, so only days are compared with the transaction's. */
const wrongDate = ({ providerAlert }: Alert, update: AlertUpdate, date: string, at: string): string[] => {
  if (Date.parse(date) > Date.parse(at) + maxAhead) {
    return [`${dateField(update)}: must not be more than 24 hours ahead`];
  }
  return datePart(date) < datePart(providerAlert.transactionAt)
    ? [`${dateField(update)}: must not be before the transaction`]
    : [];
};

const isFinalAnswer = ({ status }: AlertUpdate): boolean => status === 'RESOLVED' || status === 'DECLINED';

/** Returns what contradicts the outcome amount in the rest of the answer. An answer in progress may state plans. */
const contradictions = ({ providerAlert }: Alert, update: AlertUpdate): string[] => {
  const { alert_outcome_amount: text, alert_outcome_currency: currency = '', reason_code } = update;
  if (text === undefined) {
    return currency === '' ? [] : ['alert_outcome_currency: must be left out without alert_outcome_amount'];
  }
  const amount = parseAmount(text, currency);
  if (typeof amount === 'string' || amount.minor === 0n || !isFinalAnswer(update)) return [];
  // With result 003, not settled, it is the amount that was cancelled.
  if (reason_code.endsWith('.003')) return [];
  if (!statesRefund(reason_code)) {
    return [`${amountField(update)}: must be left out, or 0, with reason code ${reason_code}, which states no refund`];
  }
  const disputed = disputedMoney(providerAlert);
  if (disputed === undefined || disputed.currency !== currency) return [];
  if (reason_code === refundedCode && amount.minor < disputed.minor) {
    return [
      `${amountField(update)}: with reason code ${refundedCode} must be all that is disputed, ${asWords(disputed)}; for less, send ${partlyRefundedCode}`,
    ];
  }
  if (reason_code === partlyRefundedCode && amount.minor >= disputed.minor) {
    return [
      `${amountField(update)}: with reason code ${partlyRefundedCode} must be less than what is disputed, ${asWords(disputed)}; for all of it, send ${refundedCode}`,
    ];
  }
  return [];
};

/**
 * Why an answer cannot be true, in words that begin with the field's name: more than was charged or disputed, another
 * currency, a refund of nothing, an amount that contradicts the reason code, an action in the future or before the
 * transaction. `at`: ISO. Only for what merchants say; a refund made here may be in the charge's own currency, which
 * its alert need not name.
 */
export const implausible = (alert: Alert, update: AlertUpdate, at: string): string[] => {
  const { alert_outcome_currency: currency, alert_outcome_action_date: date } = update;
  return [
    ...(currency === undefined ? [] : [...wrongCurrency(alert, currency), ...wrongAmount(alert, update, currency)]),
    ...contradictions(alert, update),
    ...(date === undefined ? [] : wrongDate(alert, update, date, at)),
  ];
};

import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Alert } from '../alert.ts';
import { disputedMoney } from '../disputed-money.ts';
import type { AlertUpdate, RefundedElsewhere, RefundMaker } from './alert-update.ts';
import { needsDuplicate, statesRefund } from './reason-codes.ts';

/** The statements of answers about refunds that Forewarn did not make. */

/** Checks whether an alert's answer says that its transaction is refunded. Of a double, its first alert says that. */
export const saysRefunded = ({ status, update }: Pick<Alert, 'status' | 'update'>): boolean =>
  (status === 'RESOLVED' || status === 'DECLINED') &&
  update !== null &&
  statesRefund(update.reason_code) &&
  !needsDuplicate(update.reason_code);

/**
 * Returns the refunded amount in the currency of the payment: as the answer states it, else the disputed amount; null: neither is in that
 * currency.
 */
export const statedMinor = (
  { update, providerAlert }: Pick<Alert, 'update' | 'providerAlert'>,
  currency: string,
): bigint | null => {
  const { alert_outcome_amount: text, alert_outcome_currency: said = '' } = update ?? {};
  const money = text === undefined ? disputedMoney(providerAlert) : parseAmount(text, said);
  return typeof money === 'object' && money.currency === currency ? money.minor : null;
};

/** Returns who made the refund that an alert's answer states; null: it states none, or the row does not name a maker. */
export const refundMakerOf = ({
  providerAlert,
  update,
  withdrawnAt,
}: Pick<Alert, 'providerAlert' | 'update' | 'withdrawnAt'>): RefundMaker | null =>
  providerAlert.decision === 'ACCEPTED' && withdrawnAt === null ? 'network' : (update?.refunded_by ?? null);

/** `isWhole`: all of the payment was returned, or what was refunded was refunded for the alert. */
type RecordedRefund = Money & { isWhole: boolean };

/** The recorded refunds of an alert's payment. */
export type RecordedRefunds = { made: readonly RecordedRefund[]; isByNetwork: boolean; isUnderWay: boolean };

/** Returns who made the refund that an answer states, as far as that is recorded; null: too little or nothing is. */
export const recordedMaker = (
  alert: Pick<Alert, 'update' | 'providerAlert'>,
  { made, isByNetwork }: RecordedRefunds,
): 'forewarn' | 'network' | null => {
  if (isByNetwork) return 'network';
  const [first] = made;
  if (!first) return null;
  const needed = statedMinor(alert, first.currency);
  const sum = made.reduce((total, { minor, currency }) => (currency === first.currency ? total + minor : total), 0n);
  // Where nothing is stated in the payment's currency, a part proves nothing.
  const isEnough = needed === null ? made.some(({ isWhole }) => isWhole) : sum >= needed;
  return sum > 0n && isEnough ? 'forewarn' : null;
};

const differs = (field: string): Refusal =>
  new Refusal('request_invalid', `refunded_elsewhere.${field}: must not differ from the outcome's own ${field}`);

/**
 * An update with what a person states of a refund elsewhere; its date and amount are those of the outcome. Throws
 * request_invalid.
 */
export const withRefundElsewhere = (
  { providerAlert }: Alert,
  update: AlertUpdate,
  { date, reference, amount: text }: RefundedElsewhere,
): AlertUpdate => {
  if (!statesRefund(update.reason_code)) {
    const words = `refunded_elsewhere: must be left out with reason code ${update.reason_code}, which states no refund`;
    throw new Refusal('request_invalid', words);
  }
  const { alert_outcome_action_date: at, alert_outcome_amount: outcomeAmount } = update;
  if (at !== undefined && at !== date) throw differs('date');
  const currency = update.alert_outcome_currency ?? disputedMoney(providerAlert)?.currency ?? providerAlert.currency;
  const amount = text === undefined ? undefined : canonicalAmount(text, currency);
  if (amount !== undefined && outcomeAmount !== undefined && amount !== outcomeAmount) throw differs('amount');
  return {
    ...update,
    alert_outcome_action_date: date,
    ...(amount !== undefined && { alert_outcome_amount: amount, alert_outcome_currency: currency }),
    refunded_elsewhere: {
      date,
      ...(reference !== undefined && { reference }),
      ...(amount !== undefined && { amount }),
    },
  };
};

const canonicalAmount = (text: string, currency: string): string => {
  const money = parseAmount(text, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `refunded_elsewhere.amount: ${money}`);
  return formatAmount(money);
};

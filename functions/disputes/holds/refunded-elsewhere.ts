import { parseAmount } from '#core/kernel/money/money.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { needsDuplicate } from '#disputes/alerts/answer/reason-codes.ts';
import { disputedMoney } from '#disputes/alerts/disputed-money.ts';

/** What a merchant's own answer says of money that they gave back by other ways than ours. */

/** Whether an alert's answer says that its transaction is refunded. Of a double, its first alert says that. */
export const saysRefunded = ({ status, update }: Pick<Alert, 'status' | 'update'>): boolean =>
  (status === 'RESOLVED' || status === 'DECLINED') &&
  update !== null &&
  update.reason_code.endsWith('.001') &&
  !needsDuplicate(update.reason_code);

/** How much, in the currency of the payment: as the answer says, else what is disputed; null: neither is in that currency. */
export const statedMinor = (
  { update, providerAlert }: Pick<Alert, 'update' | 'providerAlert'>,
  currency: string,
): bigint | null => {
  const { alert_outcome_amount: amount, alert_outcome_currency: said } = update ?? {};
  const stated = amount !== undefined && said === currency ? parseAmount(amount, currency) : undefined;
  if (stated !== undefined && typeof stated !== 'string') return stated.minor;
  if (amount !== undefined) return null;
  const disputed = disputedMoney(providerAlert);
  return disputed?.currency === currency ? disputed.minor : null;
};

import { type Money, parseAmount } from '../core/money.ts';
import type { ProviderAlert } from './intake/provider-alert.ts';

type Stated = Pick<ProviderAlert, 'amount' | 'currency' | 'disputeAmount' | 'disputeCurrency'>;

const readMoney = (amount: string, currency: string): Money | undefined => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' || money.minor <= 0n ? undefined : money;
};

/** What is disputed of the transaction; where the provider does not say, all that it was. */
export const disputedMoney = (alert: Stated): Money | undefined =>
  readMoney(alert.disputeAmount, alert.disputeCurrency) ?? readMoney(alert.amount, alert.currency);

/** A transaction as a refund finds it: what of it was captured, in its own currency. */
type Charged = { captured: bigint; currency: string };

/**
 * Whether a refund of a transaction is less than what is disputed of it. Where that is stated in another currency, or is more
 * than was captured, it is the whole transaction.
 */
export const isPartOf = (alert: Stated, refunded: bigint, { captured, currency }: Charged): boolean => {
  const disputed = disputedMoney(alert);
  const isStated = disputed !== undefined && disputed.currency === currency && disputed.minor <= captured;
  return refunded < (isStated ? disputed.minor : captured);
};

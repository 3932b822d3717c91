import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';

type Stated = Pick<ProviderAlert, 'amount' | 'currency' | 'disputeAmount' | 'disputeCurrency'>;

const readMoney = (amount: string, currency: string): Money | undefined => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' || money.minor <= 0n ? undefined : money;
};

/** The disputed amount; where the provider states none, the whole transaction amount. */
export const disputedMoney = (alert: Stated): Money | undefined =>
  readMoney(alert.disputeAmount, alert.disputeCurrency) ?? readMoney(alert.amount, alert.currency);

/** The facts of a transaction that a refund needs: the captured amount, in its own currency. */
type Charged = { captured: bigint; currency: string };

/**
 * Checks whether a refund of a transaction is less than the disputed amount. If that is stated in another currency, or exceeds what was
 * captured, the whole transaction counts as disputed.
 */
export const isPartOf = (alert: Stated, refunded: bigint, { captured, currency }: Charged): boolean => {
  const disputed = disputedMoney(alert);
  const isStated = disputed !== undefined && disputed.currency === currency && disputed.minor <= captured;
  return refunded < (isStated ? disputed.minor : captured);
};

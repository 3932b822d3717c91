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
 * Checks whether a refund of a transaction is less than the disputed amount, even if that exceeds what was captured: a network that
 * disputes 95.00 is not told that 94.00 is all of it. Stated in another currency, the whole transaction counts as disputed.
 */
export const isPartOf = (alert: Stated, refunded: bigint, { captured, currency }: Charged): boolean => {
  const disputed = disputedMoney(alert);
  const isStated = disputed !== undefined && disputed.currency === currency;
  return refunded < (isStated ? disputed.minor : captured);
};

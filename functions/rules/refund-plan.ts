import type { RefundAmount } from '../alerts/automatic/decision-row.ts';
import type { Standing } from '../alerts/automatic/gateway-transaction.ts';
import { formatAmount, type Money, parseAmount } from '../core/money.ts';
import type { ProviderAlert } from '../providers/providers.ts';

/** What a rule that refunds does about a transaction as it stands. Pure. */
export type RefundPlan =
  | { plan: 'refund'; refund: RefundAmount }
  /** There is nothing to refund; the network is told so. */
  | { plan: 'answer'; reason: 'already_refunded' | 'already_charged_back' }
  | { plan: 'leave'; reason: string };

type Stated = Pick<ProviderAlert, 'amount' | 'currency' | 'disputeAmount' | 'disputeCurrency'>;

const readMoney = (amount: string, currency: string): Money | undefined => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' || money.minor <= 0n ? undefined : money;
};

/** What is disputed of the transaction; where the provider does not say, all that it was. */
export const disputedMoney = (alert: Stated): Money | undefined =>
  readMoney(alert.disputeAmount, alert.disputeCurrency) ?? readMoney(alert.amount, alert.currency);

export const planRefund = (alert: Stated, standing: Standing): RefundPlan => {
  const { captured, refunded, left, isChargedBack, isSettledForAlert } = standing;
  if (isChargedBack) return { plan: 'answer', reason: 'already_charged_back' };
  if (isSettledForAlert) return { plan: 'leave', reason: 'transaction_state_wrong' };
  if (captured > 0n && refunded >= captured) return { plan: 'answer', reason: 'already_refunded' };
  const disputed = disputedMoney(alert);
  if (!disputed) return { plan: 'leave', reason: 'amount_unknown' };
  const wanted = wantedOf(disputed, standing);
  if (wanted === undefined) return { plan: 'leave', reason: 'disputed_amount_unclear' };
  // The rest is held by other disputes, or under way.
  if (left <= 0n) return { plan: 'leave', reason: 'amount_not_available' };
  const isPart = left < wanted;
  const { currency } = standing;
  const amount = formatAmount({ minor: isPart ? left : wanted, currency });
  return { plan: 'refund', refund: { amount, currency, isPart } };
};

/**
 * What is disputed, in the currency of the charge. Issuers state their own currency, or more than was charged: then it is the
 * whole charge, if nothing but the charge can be meant; undefined if something else can.
 */
const wantedOf = ({ minor, currency }: Money, standing: Standing): bigint | undefined => {
  if (currency === standing.currency && minor <= standing.captured) return minor;
  return standing.isNamed ? standing.captured : undefined;
};

import type { RefundAmount } from '../alerts/automatic/decision-row.ts';
import type { Standing } from '../alerts/automatic/gateway-transaction.ts';
import { disputedMoney } from '../alerts/disputed-money.ts';
import { formatAmount, type Money } from '../core/money.ts';

/** What a rule that refunds does about a transaction as it stands. Pure. */
export type RefundPlan =
  | { plan: 'refund'; refund: RefundAmount }
  /** There is nothing to refund; the network is told so. */
  | { plan: 'answer'; reason: 'already_refunded' | 'already_charged_back' }
  | { plan: 'leave'; reason: string };

export const planRefund = (alert: Parameters<typeof disputedMoney>[0], standing: Standing): RefundPlan => {
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
  if (standing.isWholeOnly && (isPart || wanted !== standing.captured)) {
    return { plan: 'leave', reason: 'only_whole_refundable' };
  }
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

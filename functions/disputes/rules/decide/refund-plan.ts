import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import type { RuleAction } from '#disputes/alerts/automatic/actions.ts';
import type { RefundAmount } from '#disputes/alerts/automatic/decision-row.ts';
import type { TransactionSearch, TransactionStanding } from '#disputes/alerts/automatic/gateway-transaction.ts';
import { disputedMoney, isPartOf } from '#disputes/alerts/disputed-money.ts';

/** The plan of a rule that refunds for a transaction in its present state. Pure. */
export type RefundPlan =
  | { plan: 'refund'; refund: RefundAmount }
  /** There is nothing to refund; the network is notified of that. */
  | { plan: 'answer'; reason: 'already_refunded' | 'already_charged_back'; at?: string }
  | { plan: 'leave'; reason: string };

/** The reason if nothing was refunded because a processor could not be asked: the rules are asked again. */
export const connectionUnavailable = 'connection_unavailable';

type Bounds = {
  isDuplicate: boolean;
  /** As `answersEarlier` says of the rule. */
  answers: boolean;
  /** Why a rule may not refund this amount; null if it may. */
  barrierOf: (wanted: Pick<RefundAmount, 'amount' | 'currency'>) => string | null;
};

/** Checks whether a rule reports earlier refunds and chargebacks to the network. */
export const answersEarlier = (action: RuleAction): boolean => action.type === 'refund' && action.already !== 'leave';

type FoundOne = Extract<TransactionSearch, { found: 'one' }>;
/** The same for every possible result of a search; a refund is of `one`. */
export type FoundPlan =
  | Exclude<RefundPlan, { plan: 'refund' }>
  | { plan: 'refund'; refund: RefundAmount; one: FoundOne };

/** Returns the plan of a rule that refunds for the result of the search for the alert's transaction. */
export const planFound = (
  found: TransactionSearch,
  alert: Parameters<typeof disputedMoney>[0],
  { isDuplicate, answers, barrierOf }: Bounds,
): FoundPlan => {
  const leave = (reason: string) => ({ plan: 'leave' as const, reason });
  if (found.found === 'many') return leave('several_matches');
  if (found.found === 'uncertain') return leave('evidence_insufficient');
  if (found.found === 'unavailable') return leave(barrierOf(alert) ?? connectionUnavailable);
  if (found.found !== 'one')
    return leave(barrierOf(alert) ?? (found.found === 'none' ? 'no_transaction' : found.found));
  const plan = planAlertRefund(alert, found.standing);
  if (plan.plan === 'answer') return isDuplicate || !answers ? leave(plan.reason) : plan;
  if (plan.plan === 'leave') return plan;
  const barrier = barrierOf(plan.refund);
  return barrier === null ? { ...plan, one: found } : leave(barrier);
};

export const planAlertRefund = (
  alert: Parameters<typeof disputedMoney>[0],
  standing: TransactionStanding,
): RefundPlan => {
  const { captured, refunded, left, isChargedBack, isSettledForAlert } = standing;
  if (isChargedBack) return { plan: 'answer', reason: 'already_charged_back', ...atField(standing.chargedBackAt) };
  if (standing.isRefundedByNetwork) return { plan: 'leave', reason: 'refunded_by_network' };
  if (isSettledForAlert) return { plan: 'leave', reason: 'transaction_state_wrong' };
  if (captured > 0n && refunded >= captured)
    return { plan: 'answer', reason: 'already_refunded', ...atField(standing.refundedAt) };
  const disputed = disputedMoney(alert);
  if (!disputed) return { plan: 'leave', reason: 'amount_unknown' };
  const wanted = toReturn(disputed, standing);
  if (wanted === undefined) return { plan: 'leave', reason: 'disputed_amount_unclear' };
  // The rest is held by other disputes, or being refunded.
  if (left <= 0n) return { plan: 'leave', reason: 'amount_not_available' };
  const isRest = left < wanted;
  if (standing.isWholeOnly && (isRest || wanted !== captured)) {
    return { plan: 'leave', reason: 'only_whole_refundable' };
  }
  const { currency } = standing;
  const minor = isRest ? left : wanted;
  const isPart = isPartOf(alert, minor, { captured, currency });
  return { plan: 'refund', refund: { amount: formatAmount({ minor, currency }), currency, isPart } };
};

/** Since when there was nothing left of it, where that is known. */
const atField = (at: string | undefined) => (at === undefined ? {} : { at });

/**
 * The disputed amount, in the currency of the charge. Issuers may state their own currency, or more than was charged: then it is the
 * whole charge, if only that can be meant; undefined if something else can.
 */
const toReturn = ({ minor, currency }: Money, standing: TransactionStanding): bigint | undefined => {
  if (currency === standing.currency && minor <= standing.captured) return minor;
  return standing.isNamed ? standing.captured : undefined;
};

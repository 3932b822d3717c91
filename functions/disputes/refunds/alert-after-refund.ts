import type { ChangeOfAlert } from '#disputes/alerts/answer/refund-answer-store.ts';
import type { Automatic, DecisionResult } from '#disputes/alerts/automatic/automatic.ts';
import type { AlertRefund } from './refund.ts';
import type { RefundRow } from './refund-row.ts';

const nothingDone: Automatic = {
  decision: null,
  shadows: [],
  transaction: null,
  refund: null,
  potentialMatches: null,
};

const resultOf = ({ state }: AlertRefund): DecisionResult => {
  if (state === 'done') return 'refunded';
  return state === 'failed' ? 'left_to_merchant' : 'refund_pending';
};

/**
 * Returns an alert's facts about its refund at the merchant's own processor: the charge, the refund, and the result of the rule's decision.
 * `answeredWith`: the reason code of its answer, if it gives one.
 */
export const automaticAfter =
  ({ refund }: RefundRow, afterwards: readonly string[] = [], answeredWith?: string): ChangeOfAlert =>
  ({ automatic, action }) => {
    const { decision, ...known } = automatic ?? nothingDone;
    const { state, charge, error } = refund;
    const isByRule = decision?.action.type === 'refund';
    const decided = isByRule
      ? {
          ...decision,
          result: resultOf(refund),
          reason: state === 'failed' ? (error ?? 'refund_failed') : null,
          ...(afterwards.length > 0 && { afterwards }),
          ...(answeredWith !== undefined && { answeredWith }),
        }
      : decision;
    return {
      automatic: {
        ...known,
        decision: decided,
        transaction: charge,
        refund: state === 'failed' ? null : refund.refund,
        potentialMatches: null,
      },
      action: isByRule && state === 'done' ? 'RESOLVED' : action,
    };
  };

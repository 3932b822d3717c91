import type { Alert } from '#disputes/alerts/alert.ts';
import type { ChangeOfAlert } from '#disputes/alerts/answer/refund-answer-store.ts';
import { type Automatic, type Decision, unansweringRefund } from '#disputes/alerts/automatic/automatic.ts';
import type { AlertRefund } from './refund.ts';
import type { RefundRow } from './refund-row.ts';

const nothingDone: Automatic = {
  decision: null,
  shadows: [],
  transaction: null,
  refund: null,
  potentialMatches: null,
};

const settledBy = (
  { state, error }: AlertRefund,
  alert: Alert,
  isAnswer: boolean,
): Pick<Decision, 'result' | 'reason'> => {
  if (state === 'failed') return { result: 'left_to_merchant', reason: error ?? 'refund_failed' };
  if (state !== 'done') return { result: 'refund_pending', reason: null };
  return isAnswer ? { result: 'refunded', reason: null } : unansweringRefund(alert);
};

/**
 * Returns an alert's facts about its refund at the merchant's own processor: the charge, the refund, and the result of the rule's decision.
 * `answeredWith`: the reason code of its answer, if it gives one.
 */
export const automaticAfter =
  ({ refund }: RefundRow, afterwards: readonly string[] = [], answeredWith?: string): ChangeOfAlert =>
  (alert) => {
    const { decision, ...known } = alert.automatic ?? nothingDone;
    const { state, charge } = refund;
    const settled = settledBy(refund, alert, answeredWith !== undefined);
    const isByRule = decision?.action.type === 'refund';
    const decided = isByRule
      ? {
          ...decision,
          ...settled,
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
      action: isByRule && settled.result === 'refunded' ? 'RESOLVED' : alert.action,
    };
  };

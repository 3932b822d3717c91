import { Refusal } from '../../core/errors.ts';
import type { ProviderAlert } from '../../providers/providers.ts';
import { type Alert, isOpen } from '../alert.ts';
import { partlyRefundedCode, refundedCode } from '../automatic/actions.ts';
import type { Automatic } from '../automatic/automatic.ts';
import type { AlertUpdate } from './alert-update.ts';
import { allowedCodes } from './reason-codes.ts';
import { takesOutcome } from './update.ts';

/** How an alert is answered by its refund once that is done; kept with the refund, as it may be known days later. */
export type RefundAnswer = {
  alertId: number;
  /** The alert's site, by which is known whether status updates are wanted. */
  sid: number;
  /** Who asked for the refund. */
  by: string;
  /** Less than what is disputed. */
  isPart: boolean;
  /** Absent: the code for what was refunded. */
  reasonCode?: string;
  comments?: string;
  /** For colleagues: the network is not told. */
  notes?: string;
};

/** While nobody knows what becomes of a refund. */
export const waitingCode = '999.002';

/** The answer that a refund gives when it is done. `at`: ISO, when it was. */
export const answerOfRefund = (
  { isPart, reasonCode, comments, notes }: RefundAnswer,
  { amount, currency }: { amount: string; currency: string },
  at: string,
): AlertUpdate => ({
  status: 'RESOLVED',
  reason_code: reasonCode ?? (isPart ? partlyRefundedCode : refundedCode),
  alert_outcome_amount: amount,
  alert_outcome_currency: currency,
  alert_outcome_action_date: at,
  ...(comments !== undefined && { comments }),
  ...(notes !== undefined && { merchant_notes: notes }),
});

/** The answer that stands until it is known. */
export const waitingAnswer = { status: 'WIP', reason_code: waitingCode } as const satisfies AlertUpdate;

/** Whether a refund may answer an alert: it awaits an answer, and takes one. */
export const isAnswerable = (alert: Alert): boolean =>
  isOpen(alert) && alert.withdrawnAt === null && takesOutcome(alert.providerAlert.type);

/** Refuses a code that does not say that the alert ends with a refund. Throws reason_code_invalid. */
export const checkRefundCode = ({ provider }: Pick<ProviderAlert, 'provider'>, code: string | undefined): void => {
  if (code === undefined) return;
  const allowed = allowedCodes(provider, 'RESOLVED').filter((one) => one.endsWith('.001'));
  if (allowed.includes(code)) return;
  throw new Refusal('reason_code_invalid', `reason_code: of a refund must be one of ${allowed.join(', ')}.`);
};

/**
 * The alert that was answered by a refund, after that came to nothing: it is the merchant's again. `at`: ISO.
 */
export const reopened = (alert: Alert, at: string, owesOutcome: boolean): Alert => ({
  ...alert,
  status: 'WIP',
  action: 'MATCHED',
  automatic: unrefunded(alert.automatic),
  update: { ...withoutMoney(alert.update), ...waitingAnswer },
  updatedAt: at,
  outcomes: alert.outcomes + (owesOutcome ? 1 : 0),
  version: alert.version + 1,
});

/** Automatic handling whose refund has come to nothing: what the rule wanted is left to the merchant. */
const unrefunded = (automatic: Automatic | null): Automatic | null => {
  if (automatic === null) return null;
  const { decision } = automatic;
  const isRefund = decision?.action.type === 'refund';
  return {
    ...automatic,
    refund: null,
    decision: isRefund ? { ...decision, result: 'left_to_merchant', reason: 'refund_failed' } : decision,
  };
};

const withoutMoney = (update: AlertUpdate | null): Partial<AlertUpdate> => {
  const { alert_outcome_amount, alert_outcome_currency, alert_outcome_action_date, ...rest } = update ?? {};
  return rest;
};

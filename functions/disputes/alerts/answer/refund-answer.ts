import { Refusal } from '#core/platform/operation/errors.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import type { RefundAnswer } from '#payments/transactions/transaction/transaction.ts';
import { type Alert, isOpen, type UpdatedAlert } from '../alert.ts';
import { partlyRefundedCode, refundedCode } from '../automatic/actions.ts';
import type { Automatic } from '../automatic/automatic.ts';
import type { AlertUpdate } from './alert-update.ts';
import { allowedCodes } from './reason-codes.ts';
import { takesOutcome } from './update.ts';

/** The code while the result of a refund is unknown. */
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
  refunded_by: 'forewarn',
  ...(comments !== undefined && { comments }),
  ...(notes !== undefined && { merchant_notes: notes }),
});

/** The answer until the result of the refund is known. */
export const waitingAnswer = { status: 'WIP', reason_code: waitingCode } as const satisfies AlertUpdate;

/** Checks whether a refund may answer an alert: it awaits an answer, and takes one. */
export const isAnswerable = (alert: Alert): boolean =>
  isOpen(alert) && alert.withdrawnAt === null && takesOutcome(alert.providerAlert.type);

/** Refuses a code that does not stand for a refund. Throws reason_code_invalid. */
export const checkRefundCode = ({ provider }: Pick<ProviderAlert, 'provider'>, code: string | undefined): void => {
  if (code === undefined) return;
  const allowed = allowedCodes(provider, 'RESOLVED').filter((one) => one.endsWith('.001'));
  if (allowed.includes(code)) return;
  throw new Refusal('reason_code_invalid', `reason_code: for a refund must be one of ${allowed.join(', ')}.`);
};

/**
 * The alert after the refund that answered it has failed: the merchant has to answer again. `at`: ISO.
 */
export const reopenAlert = (alert: Alert, at: string, owesOutcome: boolean): UpdatedAlert => ({
  ...alert,
  status: 'WIP',
  action: 'MATCHED',
  automatic: leaveToMerchant(alert.automatic),
  update: { ...withoutMoney(alert.update), ...waitingAnswer },
  updatedAt: at,
  outcomes: alert.outcomes + (owesOutcome ? 1 : 0),
  version: alert.version + 1,
});

/** Automatic handling whose refund has failed: what the rule wanted is left to the merchant. */
const leaveToMerchant = (automatic: Automatic | null): Automatic | null => {
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
  const { alert_outcome_amount, alert_outcome_currency, alert_outcome_action_date, refunded_by, ...rest } =
    update ?? {};
  return rest;
};

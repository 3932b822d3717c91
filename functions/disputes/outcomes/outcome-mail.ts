import { type MailText, tableMail } from '#core/platform/mail/mail-text.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';

/** Creates the e-mail about a final answer that its provider does not have and will not get unless an operator acts. */
export const failedOutcomeMail = ({ providerAlert, owner, deadlineAt }: Alert, outcome: NetworkOutcome): MailText => {
  const { alertId, provider, state, update, error, attemptCount, id } = outcome;
  const words = state === 'REFUSED' ? 'has refused' : 'did not accept in time';
  return tableMail(
    `${provider} ${words} the answer to alert ${alertId}`,
    `${provider} ${words} a final answer, so the issuer does not know it. Find out why, then send it again or enter it in the provider's portal and mark it: see "Outcomes" in the runbook.`,
    [
      ['Alert', String(alertId)],
      ['Case', `${providerAlert.caseId} (${provider})`],
      ['Type', providerAlert.type],
      ['Answer', `${update.status} ${update.reason_code}`],
      ['Amount', update.alert_outcome_amount ? `${update.alert_outcome_amount} ${update.alert_outcome_currency}` : ''],
      ['Reason', error ?? ''],
      ['Attempts', String(attemptCount)],
      ['Deadline', deadlineAt ?? ''],
      ['Site', owner ? `${owner.siteName} (${owner.sid})` : ''],
      ['Merchant', owner ? String(owner.mid) : ''],
      ['Outcome', id],
    ],
  );
};

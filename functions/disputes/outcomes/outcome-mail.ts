import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { alertLink } from '#disputes/alerts/outbox/alert-mail.ts';

/** Creates the e-mail about a final answer that its provider does not have and will not get unless an operator acts. */
export const failedOutcomeMail = ({ providerAlert, owner, deadlineAt }: Alert, outcome: NetworkOutcome): Letter => {
  const { alertId, provider, state, update, error, attemptCount, id } = outcome;
  const words = state === 'REFUSED' ? 'has refused' : 'did not accept in time';
  return createLetter({
    subject: `${provider} ${words} the answer to alert ${alertId}`,
    kicker: `Outcome for ${provider}`,
    heading: `${update.status} ${update.reason_code}`,
    lead: `${provider} ${words} a final answer, so the issuer does not know it. Find out why, then send it again or enter it in the provider's portal and mark it: see "Outcomes" in the runbook.`,
    rows: [
      ['Alert', String(alertId)],
      ['Case', `${providerAlert.caseId} (${provider})`],
      ['Type', providerAlert.type],
      ['Answer', `${update.status} ${update.reason_code}`],
      ['Amount', update.alert_outcome_amount ? `${update.alert_outcome_amount} ${update.alert_outcome_currency}` : ''],
      ['Reason', error ?? ''],
      ['Attempts', String(attemptCount)],
      ['Deadline', deadlineAt === null ? '' : { at: deadlineAt }],
      ['Site', owner ? `${owner.siteName} (${owner.sid})` : ''],
      ['Merchant', owner ? String(owner.mid) : ''],
      ['Outcome', id],
    ],
    link: alertLink(alertId),
  });
};

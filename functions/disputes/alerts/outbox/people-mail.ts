import { redactText } from '#core/platform/log/redaction.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import type { Alert } from '../alert.ts';
import { alertLetter } from './alert-mail.ts';

/** The e-mail to the user to whom an alert was assigned. `by`: the author's name. */
export const assignedMail = (alert: Alert, by: string): Letter => {
  const { amount, currency } = alert.providerAlert;
  return alertLetter(alert, `Assigned to you: ${amount} ${currency}`, redactText(`${by} assigned this alert to you.`));
};

/** The e-mail to a user whom a note mentions. `by`: the author's name. */
export const mentionMail = (alert: Alert, note: string, by: string): Letter => {
  const { amount, currency } = alert.providerAlert;
  const name = redactText(by);
  return {
    ...alertLetter(alert, `${name} mentioned you: ${amount} ${currency}`, `${name} mentioned you in a note.`),
    quote: redactText(note),
  };
};

import { redactText } from '#core/platform/log/redaction.ts';
import { type MailText, tableMail } from '#core/platform/mail/mail-text.ts';
import type { Alert } from '../alert.ts';

/** `by`: the author's name. `link`: the alert's address in the dashboard. */
type About = { by: string; link: string };

const rowsOf = ({ alertId, providerAlert, owner }: Alert, { by, link }: About): [string, string][] => [
  ['From', redactText(by)],
  ['Alert', String(alertId)],
  ['Amount', `${providerAlert.amount} ${providerAlert.currency}`],
  ['Site', owner?.siteName ?? ''],
  ['Open it', link],
];

/** The e-mail to the user to whom an alert was assigned. */
export const assignedMail = (alert: Alert, about: About): MailText =>
  tableMail(`Alert ${alert.alertId} is assigned to you`, 'An alert was assigned to you.', rowsOf(alert, about));

/** The e-mail to a user whom a note mentions. */
export const mentionMail = (alert: Alert, note: string, about: About): MailText =>
  tableMail(`You are mentioned in a note about alert ${alert.alertId}`, 'A colleague mentioned you in a note.', [
    ['Note', redactText(note)],
    ...rowsOf(alert, about),
  ]);

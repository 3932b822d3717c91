import { redactText } from '../../core/redaction.ts';
import { day, type MailText, tableMail } from '../../notifications/mail-text.ts';
import type { Alert } from '../alert.ts';

const asks: Record<Alert['action'], string> = {
  REFUND: 'refund the transaction',
  CANCEL: 'cancel the order',
  REVIEW: 'review the transaction',
  MATCHED: 'nothing: the transaction was found and is handled automatically',
  RESOLVED: 'nothing: the network has resolved it with a refund',
  DECLINED: 'nothing: the network has declined the refund',
};

/** What the mail tells, line by line; empty values are left out. Cards show first six and last four digits at most. */
const rowsOf = ({ alertId, providerAlert, action, owner, deadlineAt, duplicateOf }: Alert): [string, string][] => {
  const rows: [string, string][] = [
    ['Alert', String(alertId)],
    ['Type', providerAlert.type],
    ['Asks you to', asks[action]],
    ['Answer by', deadlineAt === null ? '' : day(deadlineAt)],
    ['Amount', `${providerAlert.amount} ${providerAlert.currency}`],
    ['Card', providerAlert.card],
    ['Descriptor', providerAlert.descriptor],
    ['Transaction on', day(providerAlert.transactionAt)],
    ['Acquirer reference', providerAlert.arn],
    ['Authorisation code', providerAlert.authCode],
    ['Issuer', providerAlert.issuerName],
    ['Condition', [providerAlert.conditionCode, providerAlert.conditionReason].filter(Boolean).join(' ')],
    ['Case', `${providerAlert.caseId} (${providerAlert.provider})`],
    ['Same transaction as alert', duplicateOf === null ? '' : String(duplicateOf)],
    ['Site', owner ? `${owner.siteName} (${owner.sid})` : ''],
    ['Retailer', owner?.retailerName ?? ''],
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, name === 'Alert' ? value : redactText(value)]);
};

export const introduction = (test: boolean): string =>
  test
    ? 'This is a test alert: no cardholder has disputed anything.'
    : 'A dispute alert has come in for one of your sites.';

/** The e-mail that tells of a new alert. */
export const newAlertMail = (alert: Alert): MailText => {
  const { type, amount, currency, descriptor, test } = alert.providerAlert;
  const subject = redactText(`${test ? '[Test] ' : ''}${type} alert: ${amount} ${currency}, ${descriptor}`);
  return tableMail(subject, introduction(test), rowsOf(alert));
};

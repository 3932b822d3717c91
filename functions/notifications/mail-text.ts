import type { Alert } from '../alerts/alert.ts';
import { escapeHtml } from '../core/html.ts';
import { redactText } from '../core/redaction.ts';

/** An e-mail's words: subject, plain text and HTML of the same content. */
export type MailText = { subject: string; text: string; html: string };

const asks: Record<Alert['action'], string> = {
  REFUND: 'refund the transaction',
  CANCEL: 'cancel the order',
  REVIEW: 'review the transaction',
  MATCHED: 'nothing: the transaction was found and is handled automatically',
  RESOLVED: 'nothing: the network has resolved it with a refund',
  DECLINED: 'nothing: the network has declined the refund',
};

const day = (time: string): string => time.replace('T', ' ').replace(/(?::\d\d)?(?:\.\d+)?Z$/, ' UTC');

/** What the mail tells, line by line; empty values are left out. Cards show first six and last four digits at most. */
const rowsOf = ({ alertId, notice, action, owner, deadlineAt, duplicateOf }: Alert): [string, string][] => {
  const rows: [string, string][] = [
    ['Alert', String(alertId)],
    ['Type', notice.type],
    ['Asks you to', asks[action]],
    ['Answer by', deadlineAt === null ? '' : day(deadlineAt)],
    ['Amount', `${notice.amount} ${notice.currency}`],
    ['Card', notice.card],
    ['Descriptor', notice.descriptor],
    ['Transaction on', day(notice.transactionAt)],
    ['Acquirer reference', notice.arn],
    ['Authorisation code', notice.authCode],
    ['Issuer', notice.issuerName],
    ['Condition', [notice.conditionCode, notice.conditionReason].filter(Boolean).join(' ')],
    ['Case', `${notice.caseId} (${notice.provider})`],
    ['Same transaction as alert', duplicateOf === null ? '' : String(duplicateOf)],
    ['Site', owner ? `${owner.siteName} (${owner.sid})` : ''],
    ['Retailer', owner?.retailerName ?? ''],
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, name === 'Alert' ? value : redactText(value)]);
};

/** One line without control characters: providers write descriptors as they like, and a subject is a header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** At most 200 UTF-16 units; half a surrogate pair at the end, which cannot be sent, goes too. */
const shortened = (text: string): string => text.slice(0, 200).replace(/[\ud800-\udbff]$/, '');

const introduction = (test: boolean): string =>
  test
    ? 'This is a test alert: no cardholder has disputed anything.'
    : 'A dispute alert has come in for one of your sites.';

/** An e-mail of one sentence and a table of names and values; empty values are left out. */
export const tableMail = (
  subject: string,
  introduction: string,
  rows: readonly (readonly [name: string, value: string])[],
): MailText => {
  const shown = rows.map(([name, value]) => [name, oneLine(value)] as const).filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  const lines = shown.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`);
  const cells = shown.map(
    ([name, value]) =>
      `<tr><th align="left" style="padding:4px 16px 4px 0;font-weight:normal;color:#666">${escapeHtml(name)}</th><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  );
  return {
    subject: shortened(oneLine(subject)),
    text: `${introduction}\n\n${lines.join('\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;color:#111"><p>${introduction}</p><table style="border-collapse:collapse">${cells.join('')}</table></body></html>`,
  };
};

/** The e-mail that tells of a new alert. */
export const newAlertMail = (alert: Alert): MailText => {
  const { type, amount, currency, descriptor, test } = alert.notice;
  const subject = redactText(`${test ? '[Test] ' : ''}${type} alert: ${amount} ${currency}, ${descriptor}`);
  return tableMail(subject, introduction(test), rowsOf(alert));
};

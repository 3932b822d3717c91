import { redactText } from '#core/platform/log/redaction.ts';
import { day, type MailText, tableMail } from '#core/platform/mail/mail-text.ts';
import { type Alert, isOpen } from '../alert.ts';
import type { Decision } from '../automatic/automatic.ts';

const asks: Record<Alert['action'], string> = {
  REFUND: 'refund the transaction',
  CANCEL: 'cancel the order',
  REVIEW: 'review the transaction',
  MATCHED: 'refund the transaction that was found, or decline',
  RESOLVED: 'nothing: the alert is answered',
  DECLINED: 'nothing: the alert is answered, and nothing is refunded',
};

/** The action of a network on its own. */
const networkDid: Partial<Record<Alert['action'], string>> = {
  RESOLVED: 'nothing: the network has refunded it by your RDR rules',
  DECLINED: 'nothing: by your RDR rules the network has not refunded it, and a chargeback may follow',
};

/**
 * Describes what the merchant still has to do, and why. If the alert was answered before its e-mail is sent, the e-mail asks for nothing.
 */
export const asksOf = ({ providerAlert, action, automatic, update, status }: Alert): string => {
  if (providerAlert.type === 'DISPUTE_RDR') return networkDid[action] ?? asks[action];
  const decision = automatic?.decision;
  const isAnswered = status === 'RESOLVED' || status === 'DECLINED';
  const isLeft = !decision || decision.result === 'left_to_merchant';
  if (isAnswered && isLeft) return asks[status];
  if (!decision) return asks[action];
  const { ruleId, name, result, reason } = decision;
  const rule = `rule ${ruleId} (${name})`;
  const code = update?.reason_code ?? '';
  switch (result) {
    case 'refunded':
      return `nothing: ${rule} has refunded the transaction${answerWords(decision, code)}`;
    case 'resolved':
    case 'declined':
      return `nothing: ${rule} has answered the alert with ${code}${reason === null ? '' : `, ${inWords(reason)}`}`;
    case 'refund_pending':
      return `nothing yet: ${rule} has started the refund, and its result is not known yet`;
    case 'left_to_merchant':
      return `${asks[action]}: ${rule} did not, ${inWords(reason ?? 'it could not')}`;
    default:
      return asks[action];
  }
};

/** Describes the answer to an alert after a rule refunded its transaction: another answer may have been faster. */
const answerWords = ({ answeredWith }: Decision, code: string): string => {
  if (answeredWith !== undefined) return ` and answered the alert with ${answeredWith}`;
  return code === '' ? '' : `; the alert is answered with ${code}`;
};

/** A reason as people read it. */
const inWords = (reason: string): string => reason.replaceAll('_', ' ');

const disputeAmountText = ({ disputeAmount, disputeCurrency }: Alert['providerAlert']): string =>
  disputeAmount === '' ? '' : `${disputeAmount} ${disputeCurrency}`;

/** The rule that decided, and the result. */
const ruleOf = ({ automatic }: Alert): string => {
  const decision = automatic?.decision;
  if (!decision) return '';
  const why = decision.reason === null ? '' : `, ${inWords(decision.reason)}`;
  return `${decision.ruleId} (${decision.name}): ${inWords(decision.result)}${why}`;
};

/** The rows of the e-mail; empty values are left out. Cards show first six and last four digits at most. */
const rowsOf = (alert: Alert): [string, string][] => {
  const { alertId, providerAlert, owner, deadlineAt, duplicateOf } = alert;
  const rows: [string, string][] = [
    ['Alert', String(alertId)],
    ['Type', providerAlert.type],
    ['What to do', asksOf(alert)],
    ['Answer by', deadlineAt === null || !isOpen(alert) ? '' : day(deadlineAt)],
    ['Also', alert.automatic?.decision?.afterwards?.join('; ') ?? ''],
    ['Amount', `${providerAlert.amount} ${providerAlert.currency}`],
    ['Card', providerAlert.card],
    ['Descriptor', providerAlert.descriptor],
    ['Transaction on', day(providerAlert.transactionAt)],
    ['Acquirer reference', providerAlert.arn],
    ['Authorisation code', providerAlert.authCode],
    ['Issuer', providerAlert.issuerName],
    ['Disputed amount', disputeAmountText(providerAlert)],
    ['Condition', [providerAlert.conditionCode, providerAlert.conditionReason].filter(Boolean).join(' ')],
    ['RDR reason', providerAlert.declineCode],
    ['Rule', ruleOf(alert)],
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
    : 'A dispute alert has arrived for one of your sites.';

/** The e-mail that warns that an alert's deadline is near, or says that it has passed. */
export const deadlineMail = (alert: Alert, phase: 'warn' | 'pass'): MailText => {
  const { alertId, deadlineAt } = alert;
  const by = deadlineAt === null ? '' : ` (${deadlineAt.slice(0, 16).replace('T', ' ')} UTC)`;
  return phase === 'warn'
    ? tableMail(`Alert ${alertId} needs an answer soon`, `The answer to this alert is due soon${by}.`, rowsOf(alert))
    : tableMail(
        `The deadline of alert ${alertId} has passed`,
        `No final answer arrived in time${by}. An answer given now is still passed on, marked as late.`,
        rowsOf(alert),
      );
};

/** The e-mail that tells the operators of an alert without an owner. */
export const unmatchedMail = (alert: Alert): MailText =>
  tableMail(
    `Alert ${alert.alertId} matches ${alert.unmatchedBecause === 'tie' ? 'more than one merchant' : 'no merchant'}`,
    'An alert is waiting in the unmatched inbox. Find out which merchant it belongs to, and assign it before its deadline.',
    rowsOf(alert),
  );

/** The e-mail to those who review what a network did not refund and what rules left to people. */
export const reviewMail = (alert: Alert): MailText => {
  const { type, amount, currency, descriptor, test } = alert.providerAlert;
  const what = type === 'DISPUTE_RDR' ? 'Refund declined by RDR' : 'Transaction found, decision needed';
  const subject = redactText(`${test ? '[Test] ' : ''}${what}: ${amount} ${currency}, ${descriptor}`);
  return tableMail(subject, 'An alert of one of your sites needs your review.', rowsOf(alert));
};

/** The e-mail about a case that its provider changed or reopened; changed values are shown before and after. */
export const revisionMail = (before: Alert, after: Alert): MailText => {
  const { alertId, revision } = after;
  const isReopened = revision?.event === 'reopened';
  const was = revision?.before ?? '';
  const rows: [string, string][] = [
    ...rowsOf(after),
    ['Before', redactText(was)],
    ['Your answer', before.update?.reason_code ?? ''],
  ];
  return isReopened
    ? tableMail(`Alert ${alertId} is open again`, 'The network had withdrawn this case and has now reopened it.', rows)
    : tableMail(`Alert ${alertId} has changed`, 'The network has changed this case.', rows);
};

/** The e-mail about an alert whose refund failed after it had answered the alert. */
export const refundFailedMail = (alert: Alert): MailText =>
  tableMail(
    `Alert ${alert.alertId} is open again`,
    'The refund that answered this alert has failed. The network has not received the answer: answer the alert again.',
    rowsOf(alert),
  );

/** The e-mail about a new alert. */
export const newAlertMail = (alert: Alert): MailText => {
  const { type, amount, currency, descriptor, test } = alert.providerAlert;
  const subject = redactText(`${test ? '[Test] ' : ''}${type} alert: ${amount} ${currency}, ${descriptor}`);
  return tableMail(subject, introduction(test), rowsOf(alert));
};

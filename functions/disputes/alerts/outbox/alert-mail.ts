import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter, type Letter, type LetterValue } from '#core/platform/mail/letter.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import { type Alert, isOpen } from '../alert.ts';
import { answeredBeforeRefund, type Decision } from '../automatic/automatic.ts';
import { alertNouns, reasonWords } from './reason-words.ts';

const asks: Record<Alert['action'], string> = {
  REFUND: 'find the transaction, then refund it or decline',
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
export const askWords = ({ providerAlert, action, automatic, update, status }: Alert): string => {
  if (providerAlert.type === 'DISPUTE_RDR') return networkDid[action] ?? asks[action];
  const decision = automatic?.decision;
  const isAnswered = status === 'RESOLVED' || status === 'DECLINED';
  const isRefunded = decision?.result === 'refunded' || decision?.reason === answeredBeforeRefund;
  const isLeft = !decision || (decision.result === 'left_to_merchant' && !isRefunded);
  if (isAnswered && isLeft) return asks[status];
  if (!decision) return asks[action];
  const { ruleId, name, result, reason } = decision;
  const rule = `rule ${ruleId} (${name})`;
  const code = update?.reason_code ?? '';
  if (isRefunded) return `nothing: ${rule} has refunded the transaction${answerWords(decision, code)}`;
  switch (result) {
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
const ruleText = ({ automatic }: Alert): string => {
  const decision = automatic?.decision;
  if (!decision) return '';
  const why = decision.reason === null ? '' : `, ${inWords(decision.reason)}`;
  return `${decision.ruleId} (${decision.name}): ${inWords(decision.result)}${why}`;
};

/** A card as people read it: `4111 11•• •••• 1111`. */
const cardText = (card: string): string => card.replace(/[xX*]/g, '•').replace(/(.{4})(?=.)/gu, '$1 ');

/** The rows of the e-mail; empty values are left out. Cards show first six and last four digits at most. */
const mailRows = (alert: Alert): [string, LetterValue][] => {
  const { alertId, providerAlert, owner, duplicateOf } = alert;
  const rows: [string, LetterValue][] = [
    ['What to do', askWords(alert)],
    ['Also', alert.automatic?.decision?.afterwards?.join('; ') ?? ''],
    ['Card', cardText(redactText(providerAlert.card))],
    ['Descriptor', providerAlert.descriptor],
    ['Site', owner?.siteName ?? ''],
    ['Retailer', owner?.retailerName ?? ''],
    ['Paid', providerAlert.transactionAt && { at: providerAlert.transactionAt }],
    ['Issuer', providerAlert.issuerName],
    ['Disputed amount', disputeAmountText(providerAlert)],
    ['Scheme’s code', [providerAlert.conditionCode, providerAlert.conditionReason].filter(Boolean).join(' ')],
    ['RDR reason', providerAlert.declineCode],
    ['Rule', ruleText(alert)],
    ['Same transaction as alert', duplicateOf === null ? '' : String(duplicateOf)],
    ['Alert', String(alertId)],
    ['Case', `${providerAlert.caseId} (${providerAlert.provider})`],
    ['Acquirer reference', providerAlert.arn],
    ['Authorisation code', providerAlert.authCode],
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, isOwn(name) || typeof value !== 'string' ? value : redactText(value)]);
};

/** Numbers of the service itself, and what is masked already: they must not be taken for card numbers. */
const isOwn = (name: string): boolean => name === 'Alert' || name === 'Card' || name === 'Same transaction as alert';

/** Returns the first sentence of the e-mail about a new alert. */
export const newAlertLeads: Readonly<Record<AlertType, string>> = {
  FRAUD: 'The cardholder’s bank reports this payment as fraud.',
  DISPUTE: 'The cardholder disputes this payment. A refund now prevents the chargeback.',
  CANCEL: 'The cardholder wants to cancel what they were charged for.',
  DISPUTE_RDR: 'The network has decided this dispute by your RDR rules.',
  FRAUD_NOTICE:
    'The cardholder’s bank has reported this payment as fraud. This is for your information; no answer is expected.',
  DISPUTE_NOTICE: 'A dispute about this payment was reported. This is for your information; no answer is expected.',
};

/** The link that opens an alert in the dashboard. */
export const alertLink = (alertId: number) => ({ path: `#/alerts/${alertId}`, words: 'Open the alert' });

const testWords = 'This is a test alert: no cardholder has disputed anything.';

/** Returns the beginning of every e-mail about an alert. `lead`: the sentences that say what has happened. */
export const alertLetter = (alert: Alert, subject: string, lead: string): Letter => {
  const { alertId, providerAlert, deadlineAt, owner } = alert;
  const { type, amount, currency, test } = providerAlert;
  return createLetter({
    subject: redactText(`${test ? '[Test] ' : ''}${subject}`),
    kicker: alertNouns[type],
    heading: `${amount} ${currency}`,
    reason: redactText(reasonWords(providerAlert)),
    lead: test ? `${testWords} ${lead}` : lead,
    dueAt: deadlineAt !== null && isOpen(alert) ? deadlineAt : null,
    rows: mailRows(alert),
    link: alertLink(alertId),
    notice: { amount: `${amount} ${currency}`, site: redactText(owner?.siteName ?? ''), isTest: test },
  });
};

/** The amount and the reason of an alert, for a subject: `361.56 USD, Item not received`. */
const mailTopic = ({ providerAlert }: Alert): string =>
  `${providerAlert.amount} ${providerAlert.currency}, ${reasonWords(providerAlert)}`;

/** The e-mail that warns that an alert's deadline is near, or says that it has passed. */
export const deadlineMail = (alert: Alert, phase: 'warn' | 'pass'): Letter =>
  phase === 'warn'
    ? alertLetter(alert, `Answer due soon: ${mailTopic(alert)}`, 'The answer to this alert is due soon.')
    : alertLetter(
        alert,
        `Deadline passed: ${mailTopic(alert)}`,
        'No final answer arrived in time. An answer given now is still passed on, marked as late.',
      );

/** The e-mail that tells the operators of an alert without an owner. */
export const unmatchedMail = (alert: Alert): Letter => ({
  ...alertLetter(
    alert,
    `Alert ${alert.alertId} matches ${alert.unmatchedBecause === 'tie' ? 'more than one merchant' : 'no merchant'}`,
    'It is waiting in the unmatched inbox. Find out which merchant it belongs to, and assign it before its deadline.',
  ),
  link: { path: '#/admin/unmatched', words: 'Open the unmatched inbox' },
});

/** The e-mail to those who review what a network did not refund and what rules left to people. */
export const reviewMail = (alert: Alert): Letter => {
  const { type, amount, currency, descriptor } = alert.providerAlert;
  const what = type === 'DISPUTE_RDR' ? 'Refund declined by RDR' : 'Transaction found, decision needed';
  return alertLetter(alert, `${what}: ${amount} ${currency}, ${descriptor}`, 'This alert needs your review.');
};

/** The e-mail about a case that its provider changed or reopened; changed values are shown before and after. */
export const revisionMail = (before: Alert, after: Alert): Letter => {
  const { alertId, revision } = after;
  const letter =
    revision?.event === 'reopened'
      ? alertLetter(
          after,
          `Alert ${alertId} is open again`,
          'The network had withdrawn this case and has now reopened it.',
        )
      : alertLetter(after, `Alert ${alertId} has changed`, 'The network has changed this case.');
  const was = redactText(revision?.before ?? '');
  return { ...letter, rows: [...letter.rows, ['Before', was], ['Your answer', before.update?.reason_code ?? '']] };
};

/** The e-mail about an alert whose refund failed after it had answered the alert. */
export const refundFailedMail = (alert: Alert): Letter =>
  alertLetter(
    alert,
    `Alert ${alert.alertId} is open again`,
    'The refund that answered this alert has failed. The network has not received the answer: answer the alert again.',
  );

/** The e-mail about a new alert. */
export const newAlertMail = (alert: Alert): Letter => {
  const { type, amount, currency, descriptor } = alert.providerAlert;
  return alertLetter(alert, `${alertNouns[type]}: ${amount} ${currency}, ${descriptor}`, newAlertLeads[type]);
};

import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter } from '#core/platform/mail/letter.ts';
import { createMail, type Mail } from '#core/platform/mail/mail.ts';
import type { Chargeback } from './chargeback.ts';

/** The event, for those who have to answer it. */
const leadWords = ({ status, stage }: Chargeback): string => {
  if (status === 'refunded_by_network')
    return 'The card network has refunded the cardholder, so there is no chargeback and nothing to contest.';
  return stage === 'arbitration'
    ? 'The cardholder’s bank contests it again. Evidence that was submitted before does not answer this.'
    : 'A cardholder’s bank has charged a payment back.';
};

/** Creates the e-mail that notifies a site's people of a chargeback, each time that it enters a stage; undefined if the site names no address. `at`: ISO. */
export const chargebackMail = (
  chargeback: Chargeback,
  sid: number,
  { to, at }: { to: readonly string[]; at: string },
): Mail | undefined => {
  if (to.length === 0) return undefined;
  const { id, mid, txid, amount, currency, reasonCode, network, dueBy, openedAt, status, stage, version } = chargeback;
  const isAgain = stage === 'arbitration';
  const what = status === 'refunded_by_network' ? 'Refund by the network' : isAgain ? 'Arbitration' : 'Chargeback';
  const letter = createLetter({
    subject: `${what} of ${amount} ${currency}`,
    kicker: what,
    heading: `${amount} ${currency}`,
    reason: redactText([network, reasonCode].filter((part) => part !== '').join(' ')),
    lead: leadWords(chargeback),
    dueAt: dueBy,
    rows: [
      ['Chargeback', id],
      ['Site', `#${sid}`],
      ['Transaction', txid === null ? '' : String(txid)],
      ['Opened', { at: openedAt }],
    ],
    link: { path: `#/chargebacks/${id}`, words: 'Open the chargeback' },
  });
  return createMail({
    // Stages may repeat: a name that is taken would keep the chargeback from being written.
    id: `eml_${id}_${version}`,
    kind: 'chargeback_raised',
    sid,
    mid,
    to,
    letter,
    at,
  });
};

/** The e-mail to the user to whom a rule has assigned a chargeback. `at`: ISO. */
export const assignedChargebackMail = (
  { id, mid, sid, amount, currency, reasonCode, network, dueBy }: Chargeback,
  ruleName: string,
  { to, at }: { to: readonly string[]; at: string },
): Mail => {
  const letter = createLetter({
    subject: `Assigned to you: chargeback of ${amount} ${currency}`,
    kicker: 'Chargeback',
    heading: `${amount} ${currency}`,
    reason: redactText([network, reasonCode].filter((part) => part !== '').join(' ')),
    lead: redactText(`The rule “${ruleName}” assigned this chargeback to you.`),
    dueAt: dueBy,
    rows: [['Chargeback', id]],
    link: { path: `#/chargebacks/${id}`, words: 'Open the chargeback' },
  });
  return createMail({ id: `eml_${id}_${Date.parse(at)}`, kind: 'alert_assigned', sid: sid ?? 0, mid, to, letter, at });
};

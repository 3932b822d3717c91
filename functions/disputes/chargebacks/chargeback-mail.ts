import { redactText } from '#core/platform/log/redaction.ts';
import { createMail, type Mail } from '#core/platform/mail/mail.ts';
import { day, tableMail } from '#core/platform/mail/mail-text.ts';
import type { Chargeback } from './chargeback.ts';

/** Creates the e-mail that notifies a site's people of a chargeback, once; undefined if the site names no address. `at`: ISO. */
export const chargebackMail = (
  chargeback: Chargeback,
  sid: number,
  { to, at }: { to: readonly string[]; at: string },
): Mail | undefined => {
  if (to.length === 0) return undefined;
  const { id, mid, txid, amount, currency, reasonCode, network, dueBy, openedAt } = chargeback;
  const text = tableMail(`Chargeback of ${amount} ${currency}`, 'A cardholder’s bank has charged a payment back.', [
    ['Chargeback', id],
    ['Site', String(sid)],
    ['Transaction', txid === null ? '' : String(txid)],
    ['Amount', `${amount} ${currency}`],
    ['Reason', redactText([network, reasonCode].filter((part) => part !== '').join(' '))],
    ['Opened', day(openedAt)],
    ['Answer by', dueBy === null ? '' : day(dueBy)],
  ]);
  return createMail({ id: `eml_${id}`, kind: 'chargeback_raised', sid, mid, to, text, at });
};

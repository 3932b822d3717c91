import { maskKept } from '#core/kernel/card/card.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import { createMail, type Mail, mailIdOf } from '#core/platform/mail/mail.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Transaction } from './transaction.ts';

/** The e-mails by which a site's people learn of payments. They hold what the merchant may see, and of the card its mask. */

/** The site's first payment gets one e-mail, whichever function asks for it. */
export const firstPaymentMailId = (sid: number): string => `eml_first_${sid}`;

const paymentLetter = (transaction: Transaction, subject: string, lead: string): Letter => {
  const { sid, txid, parentTxid, tid, money, card, fraud, createdAt, action } = transaction;
  return createLetter({
    subject,
    kicker: action === 'PREAUTH' ? 'Authorisation' : 'Payment',
    heading: `${formatAmount(fromKeptMoney(money))} ${money.currency}`,
    lead,
    rows: [
      ['Site', `#${sid}`],
      ['Transaction', String(txid)],
      ['Your reference', redactText(tid ?? '')],
      ['Card', card ? maskKept(card) : ''],
      ['To review', fraud?.decision === 'REVIEW' ? 'the fraud check asks for a manual review' : ''],
      ['Made', { at: createdAt }],
    ],
    link: { path: `#/payments/${parentTxid}`, words: 'Open the payment' },
  });
};

const isPayment = ({ action }: Transaction): boolean => action === 'PAYMENT' || action === 'PREAUTH';

/** Returns the e-mail about a successful payment, if its site wants one. `timedId`: for its name. */
export const paymentMail = (transaction: Transaction, timedId: number): Mail | undefined => {
  const { told, status, money, sid, mid, updatedAt: at, action } = transaction;
  if (!told || told.payments.length === 0 || status !== 'OK' || !isPayment(transaction)) return undefined;
  const what = action === 'PREAUTH' ? 'Authorisation' : 'Payment';
  const subject = `${what} of ${formatAmount(fromKeptMoney(money))} ${money.currency}`;
  const letter = paymentLetter(transaction, subject, 'A payment has gone through.');
  return createMail({ id: mailIdOf(timedId), kind: 'payment_made', sid, mid, to: told.payments, letter, at });
};

/** Returns the e-mail about the first successful payment of a site. */
export const firstPaymentMail = (transaction: Transaction): Mail | undefined => {
  const { told, status, sid, mid, updatedAt: at } = transaction;
  if (!told || told.first.length === 0 || status !== 'OK' || !isPayment(transaction)) return undefined;
  const lead = 'The first payment of this site has gone through.';
  const letter = paymentLetter(transaction, `The first payment of site ${sid}`, lead);
  return createMail({ id: firstPaymentMailId(sid), kind: 'first_payment', sid, mid, to: told.first, letter, at });
};

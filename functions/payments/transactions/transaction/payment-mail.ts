import { maskKept } from '#core/kernel/card/card.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { createMail, type Mail, mailIdOf } from '#core/platform/mail/mail.ts';
import { day, tableMail } from '#core/platform/mail/mail-text.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Transaction } from './transaction.ts';

/** The e-mails by which a site's people learn of payments. They hold what the merchant may see, and of the card its mask. */

/** The site's first payment gets one e-mail, whichever function asks for it. */
export const firstPaymentMailId = (sid: number): string => `eml_first_${sid}`;

const rowsOf = ({ sid, txid, tid, money, card, fraud, createdAt }: Transaction) =>
  [
    ['Site', String(sid)],
    ['Transaction', String(txid)],
    ['Your reference', redactText(tid ?? '')],
    ['Amount', `${formatAmount(fromKeptMoney(money))} ${money.currency}`],
    ['Card', card ? maskKept(card) : ''],
    ['To review', fraud?.decision === 'REVIEW' ? 'the fraud check asks for a manual review' : ''],
    ['Made', day(createdAt)],
  ] as const;

const isPayment = ({ action }: Transaction): boolean => action === 'PAYMENT' || action === 'PREAUTH';

/** Returns the e-mail about a successful payment, if its site wants one. `timedId`: for its name. */
export const paymentMail = (transaction: Transaction, timedId: number): Mail | undefined => {
  const { told, status, money, sid, mid, updatedAt: at, action } = transaction;
  if (!told || told.payments.length === 0 || status !== 'OK' || !isPayment(transaction)) return undefined;
  const what = action === 'PREAUTH' ? 'Authorisation' : 'Payment';
  const text = tableMail(
    `${what} of ${formatAmount(fromKeptMoney(money))} ${money.currency}`,
    'A payment has gone through.',
    rowsOf(transaction),
  );
  return createMail({ id: mailIdOf(timedId), kind: 'payment_made', sid, mid, to: told.payments, text, at });
};

/** Returns the e-mail about the first successful payment of a site. */
export const firstPaymentMail = (transaction: Transaction): Mail | undefined => {
  const { told, status, sid, mid, updatedAt: at } = transaction;
  if (!told || told.first.length === 0 || status !== 'OK' || !isPayment(transaction)) return undefined;
  const text = tableMail(
    `The first payment of site ${sid}`,
    'The first payment of this site has gone through.',
    rowsOf(transaction),
  );
  return createMail({ id: firstPaymentMailId(sid), kind: 'first_payment', sid, mid, to: told.first, text, at });
};

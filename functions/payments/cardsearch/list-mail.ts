import { maskKept } from '#core/kernel/card/card.ts';
import { minuteText } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';

const statusWords = { OK: 'done', PEND: 'in progress', EXC: 'failed' } as const;
const actionWords = {
  PAYMENT: 'payment',
  PREAUTH: 'authorisation',
  CAPTURE: 'capture',
  REFUND: 'refund',
  VOID: 'cancellation',
  PAYOUT: 'payout',
} as const;

/** The words by which a cardholder recognises a transaction. `tid` is the merchant's text, which may hold anything. */
const paymentLine = ({ action, status, money, card, tid, descriptor }: Transaction): string =>
  [
    `${formatAmount(fromKeptMoney(money))} ${money.currency}`,
    `${actionWords[action]} ${statusWords[status]}`,
    card && `card ${maskKept(card)}`,
    descriptor && redactText(descriptor),
    tid && `reference ${redactText(tid)}`,
  ]
    .filter(Boolean)
    .join(', ');

/** The e-mail that lists transactions, for the address they were made with. */
export const listMail = (merchantName: string, transactions: readonly Transaction[]): Letter => ({
  ...createLetter({
    subject: 'Your card transactions',
    kicker: redactText(merchantName),
    heading: 'Your card transactions',
    lead: 'These card transactions were made with your e-mail address.',
    rows: transactions.map((one) => [minuteText(one.createdAt), paymentLine(one)]),
  }),
  forPayer: true,
});

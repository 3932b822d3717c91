import { escapeHtml } from '#core/kernel/html.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { renderPage, testBanner } from '#core/platform/http/page.ts';
import { isSandboxPaymentExpired, type SandboxPayment } from './sandbox.ts';

/** The page on which a payer confirms a sandbox payment. It shows nothing of the card. */

const amountHtml = ({ minor, currency, page }: SandboxPayment): string =>
  `<p class="quiet">To ${escapeHtml(page?.payee ?? 'the merchant')}</p>
<p class="amount">${escapeHtml(`${formatAmount({ minor: BigInt(minor), currency })} ${currency}`)}</p>`;

/** Without an action the form goes to the page's own address, whatever stage or domain that is under. */
const question = `<form method="post">
<button name="answer" value="approve">Approve</button>
<button class="second" name="answer" value="decline">Decline</button>
</form>`;

/** Links only to web pages: a payer cannot return to an address with another scheme. */
const backLink = ({ page }: SandboxPayment): string =>
  /^https?:\/\//.test(page?.returnUrl ?? '')
    ? `<p><a class="button" href="${escapeHtml(page?.returnUrl ?? '')}">Return to the merchant</a></p>`
    : '';

type View = { title: string; mood: string; below: string };

const pickView = (payment: SandboxPayment, now: number): View => {
  const below = backLink(payment);
  if (payment.stage === 'failed') return { title: 'Payment declined', mood: 'bad', below };
  if (payment.stage !== 'redirect') return { title: 'Payment approved', mood: 'good', below };
  return isSandboxPaymentExpired(payment, now)
    ? { title: 'This payment has expired', mood: 'bad', below }
    : { title: 'Confirm your payment', mood: '', below: question };
};

/** The page for the payment's state: a question while it waits for an answer, then the answer given. `now`: milliseconds. */
export const sandboxPageOf = (payment: SandboxPayment, now: number): string => {
  const { title, mood, below } = pickView(payment, now);
  return renderPage({
    title,
    banner: testBanner,
    body: `<h1 class="${mood}">${title}</h1>\n${amountHtml(payment)}\n${below}`,
  });
};

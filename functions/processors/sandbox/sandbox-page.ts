import { escapeHtml } from '../../core/html.ts';
import { formatAmount } from '../../core/money.ts';
import { pageOf, testBanner } from '../../core/page.ts';
import { isExpired, type SandboxPayment } from './sandbox.ts';

/** The page on which a payer confirms a sandbox payment. Nothing of the card stands there. */

const detailsOf = ({ minor, currency, page }: SandboxPayment): string =>
  `<p class="quiet">To ${escapeHtml(page?.descriptor ?? 'the merchant')}</p>
<p class="amount">${escapeHtml(`${formatAmount({ minor: BigInt(minor), currency })} ${currency}`)}</p>`;

/** Without an action the form goes to the page's own address, whatever stage or domain that is under. */
const question = `<form method="post">
<button name="answer" value="approve">Approve</button>
<button class="second" name="answer" value="decline">Decline</button>
</form>`;

/** Only to a page: an address with another scheme is none that a payer comes back to. */
const backLink = ({ page }: SandboxPayment): string =>
  /^https?:\/\//.test(page?.returnUrl ?? '')
    ? `<p><a class="button" href="${escapeHtml(page?.returnUrl ?? '')}">Return to the merchant</a></p>`
    : '';

type View = { title: string; mood: string; below: string };

const viewOf = (payment: SandboxPayment, now: number): View => {
  const below = backLink(payment);
  if (payment.stage === 'failed') return { title: 'Payment declined', mood: 'bad', below };
  if (payment.stage !== 'redirect') return { title: 'Payment approved', mood: 'good', below };
  return isExpired(payment, now)
    ? { title: 'This payment has expired', mood: 'bad', below }
    : { title: 'Confirm your payment', mood: '', below: question };
};

/** The page as the payment stands: a question as long as it waits for an answer, then what was answered. `now`: milliseconds. */
export const sandboxPageOf = (payment: SandboxPayment, now: number): string => {
  const { title, mood, below } = viewOf(payment, now);
  return pageOf({
    title,
    banner: testBanner,
    body: `<h1 class="${mood}">${title}</h1>\n${detailsOf(payment)}\n${below}`,
  });
};

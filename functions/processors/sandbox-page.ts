import { formatAmount } from '../core/money.ts';
import { isExpired, type SandboxPayment } from './sandbox.ts';

/** The page on which a payer confirms a sandbox payment: plain HTML, nothing loaded from anywhere, nothing of the card. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** The page runs nothing and loads nothing, sends its form home only, and stands in nobody's frame. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const style = `
:root { color-scheme: light dark; --ink: #17202b; --soft: #566375; --page: #eef1f5; --card: #fff; --line: #d5dbe3;
  --go: #14603c; --stop: #8f1d1d; --note: #6b4a00; --note-page: #fff3cf; }
@media (prefers-color-scheme: dark) { :root { --ink: #edf1f6; --soft: #a9b4c2; --page: #10151c; --card: #1a212b;
  --line: #35404e; --go: #1b7a4c; --stop: #a82a2a; --note: #ffe19a; --note-page: #3a2d08; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
main { width: 100%; max-width: 26rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  overflow: hidden; }
.mode { margin: 0; padding: .6rem 1.5rem; font-size: .875rem; font-weight: 600; color: var(--note);
  background: var(--note-page); }
.body { padding: 1.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
dl { margin: 0 0 1.5rem; display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.amount { font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums; }
form { display: grid; gap: .75rem; }
button, .back { display: block; width: 100%; min-height: 2.75rem; padding: .6rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: #fff; border: 2px solid transparent; border-radius: .6rem;
  cursor: pointer; background: var(--go); }
button[value="decline"] { background: var(--card); color: var(--ink); border-color: var(--line); }
button:focus-visible, .back:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
`;

const document = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="mode" role="note">Test mode: no money moves</p>
<div class="body">
<h1>${title}</h1>
${content}
</div>
</main>
</body>
</html>
`;

const detailsOf = ({ minor, currency, page }: SandboxPayment): string => {
  const amount = `${formatAmount({ minor: BigInt(minor), currency })} ${currency}`;
  return `<dl>
<dt>Pay to</dt><dd>${escaped(page?.descriptor ?? 'the merchant')}</dd>
<dt>Amount</dt><dd class="amount">${escaped(amount)}</dd>
</dl>`;
};

/** Without an action the form goes to the page's own address, whatever stage or domain that is under. */
const question = `<form method="post">
<button name="answer" value="approve">Approve</button>
<button name="answer" value="decline">Decline</button>
</form>`;

/** Only to a page: an address with another scheme is none that a payer comes back to. */
const backLink = ({ page }: SandboxPayment): string =>
  /^https?:\/\//.test(page?.returnUrl ?? '')
    ? `<a class="back" href="${escaped(page?.returnUrl ?? '')}">Return to the merchant</a>`
    : '';

/** The page as the payment stands: a question as long as it waits for an answer, then what was answered. `now`: milliseconds. */
export const pageOf = (payment: SandboxPayment, now: number): string => {
  const details = detailsOf(payment);
  if (payment.stage === 'redirect') {
    return isExpired(payment, now)
      ? document('This payment has expired', `${details}\n${backLink(payment)}`)
      : document('Confirm your payment', `${details}\n${question}`);
  }
  const title = payment.stage === 'failed' ? 'Payment declined' : 'Payment approved';
  return document(title, `${details}\n${backLink(payment)}`);
};

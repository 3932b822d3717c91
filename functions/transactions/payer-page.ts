import { escapeHtml } from '../core/html.ts';
import { formatAmount } from '../core/money.ts';
import { pageOf, testBanner } from '../core/page.ts';
import { moneyOf } from '../payments/kept-money.ts';
import type { Visited } from './payer-flow.ts';
import { isFinal, type Transaction } from './transaction.ts';

/** The page of a payment for whoever pays it: what is to be done, or what came of it. Nothing of the card stands there. */

const words = {
  OK: { title: 'Payment complete', text: 'You can close this page and go back to the shop.', look: 'good' },
  EXC: { title: 'Payment not made', text: 'Nothing was charged. Go back to the shop to try again.', look: 'bad' },
  PEND: {
    title: 'Payment in progress',
    text: 'It is not decided yet. The shop will be told as soon as it is.',
    look: '',
  },
} as const;

/** What was just done on the page: a code that was wrong, or another one asked for. */
export type JustDone = 'tried' | 'resent' | null;

export const payerPageOf = ({ transaction, shop }: Visited, justDone: JustDone = null): string => {
  const { title, look = '', below } = viewOf(transaction, justDone);
  const { money, descriptor, processor } = transaction;
  const amount = `${formatAmount(moneyOf(money))} ${money.currency}`;
  const payee = [shop, descriptor].filter(Boolean).join(' · ');
  return pageOf({
    title,
    ...(processor === 'sandbox' && { banner: testBanner }),
    body: `<h1 class="${look}">${escapeHtml(title)}</h1>
${payee ? `<p class="quiet">To ${escapeHtml(payee)}</p>` : ''}
<p class="amount">${escapeHtml(amount)}</p>
${below}
${wayBack(transaction)}`,
  });
};

/** Where the shop wants its payer back, with what it is to know; undefined if it did not say. */
export const shopUrlOf = ({ returnUrl, txid, status }: Transaction): string | undefined => {
  if (returnUrl === undefined) return undefined;
  const url = new URL(returnUrl);
  url.searchParams.set('txid', String(txid));
  url.searchParams.set('status', status);
  return url.href;
};

/** What sends a browser on by itself once nothing can change any more; the page has the same link. */
export const onwardHeaders = (transaction: Transaction): Record<string, string> => {
  const url = isFinal(transaction) ? shopUrlOf(transaction) : undefined;
  return url === undefined ? {} : { refresh: `0; url=${url}` };
};

const wayBack = (transaction: Transaction): string => {
  const url = shopUrlOf(transaction);
  if (url === undefined) return '';
  const label = transaction.nextAction ? 'Cancel and go back to the shop' : 'Go back to the shop';
  return `<p><a class="${transaction.nextAction ? 'quiet' : 'button'}" href="${escapeHtml(url)}">${label}</a></p>`;
};

type View = { title: string; look?: string; below: string };

const viewOf = ({ status, nextAction, error, processor }: Transaction, justDone: JustDone): View => {
  if (nextAction?.type === 'otp') return codeView(nextAction, justDone, processor === 'sandbox');
  if (nextAction?.type === 'redirect') return continueView(nextAction.url);
  const { title, text, look } = words[status];
  const reason = error ? `<p class="${look}" role="alert">${escapeHtml(error.message)}.</p>\n` : '';
  return { title, look, below: `${reason}<p class="quiet">${escapeHtml(text)}</p>` };
};

type Otp = Extract<NonNullable<Transaction['nextAction']>, { type: 'otp' }>;

const codeView = ({ channel, tries_left: left }: Otp, justDone: JustDone, isTest: boolean): View => {
  const tries = left === undefined ? '' : ` ${left === 1 ? 'One try is' : `${left} tries are`} left.`;
  const said = {
    tried: `<p class="bad" role="alert">That code is not right. Look at it again, and try once more.${tries}</p>`,
    resent: '<p class="good" role="status">Another code is on its way to you.</p>',
  };
  const test = isTest ? '<p class="quiet">Test mode: the right code is 123456.</p>\n' : '';
  // Without an action a form goes to the page's own address, its token included.
  const forms = `<form method="post">
<label for="code">The code you got by ${escapeHtml(channel)}
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20" autofocus></label>
<button>Confirm</button>
</form>
<form method="post"><button class="second" name="resend" value="1">Send another code</button></form>`;
  return { title: 'Confirm your payment', below: `${justDone ? said[justDone] : ''}\n${test}${forms}` };
};

const continueView = (url: string): View => ({
  title: 'One more step',
  below: `<p class="quiet">Your bank wants you to confirm this payment.</p>
<p><a class="button" href="${escapeHtml(url)}">Go on to confirm</a></p>`,
});

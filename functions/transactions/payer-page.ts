import { escapeHtml } from '../core/html.ts';
import { formatAmount } from '../core/money.ts';
import { pageOf, testBanner } from '../core/page.ts';
import { moneyOf } from '../payments/kept-money.ts';
import type { Transaction } from './transaction.ts';

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

/** `wasWrong`: a code was just tried, and another may be. */
export const payerPageOf = (transaction: Transaction, wasWrong = false): string => {
  const { title, look = '', below } = viewOf(transaction, wasWrong);
  const { money, descriptor, processor } = transaction;
  const amount = `${formatAmount(moneyOf(money))} ${money.currency}`;
  return pageOf({
    title,
    ...(processor === 'sandbox' && { banner: testBanner }),
    body: `<h1 class="${look}">${escapeHtml(title)}</h1>
${descriptor ? `<p class="quiet">To ${escapeHtml(descriptor)}</p>` : ''}
<p class="amount">${escapeHtml(amount)}</p>
${below}`,
  });
};

type View = { title: string; look?: string; below: string };

const viewOf = ({ status, nextAction, error }: Transaction, wasWrong: boolean): View => {
  if (nextAction?.type === 'otp') return codeView(nextAction.channel, wasWrong);
  if (nextAction?.type === 'redirect') return continueView(nextAction.url);
  const { title, text, look } = words[status];
  const reason = error ? `<p class="${look}">${escapeHtml(error.message)}.</p>\n` : '';
  return { title, look, below: `${reason}<p class="quiet">${escapeHtml(text)}</p>` };
};

const codeView = (channel: string, wasWrong: boolean): View => {
  const wrong = '<p class="bad" role="alert">That code is not right. Look at it again, and try once more.</p>';
  // Without an action the form goes to the page's own address, its token included.
  const form = `<form method="post">
<label for="code">The code you got by ${escapeHtml(channel)}
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20" autofocus></label>
<button>Confirm</button>
</form>`;
  return { title: 'Confirm your payment', below: `${wasWrong ? wrong : ''}\n${form}` };
};

const continueView = (url: string): View => ({
  title: 'One more step',
  below: `<p class="quiet">Your bank wants you to confirm this payment.</p>
<p><a class="button" href="${escapeHtml(url)}">Go on to confirm</a></p>`,
});

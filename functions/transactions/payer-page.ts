import { escapeHtml } from '../core/html.ts';
import { formatAmount } from '../core/money.ts';
import { pageOf } from '../core/page.ts';
import { moneyOf, type Transaction } from './transaction.ts';

/** The page of a payment for whoever pays it: what is to be done, or what came of it. Nothing of the card stands there. */

const words = {
  OK: { title: 'Payment complete', text: 'You can close this page and go back to the shop.', look: 'good' },
  EXC: { title: 'Payment not made', text: 'Nothing was charged. Go back to the shop to try again.', look: 'bad' },
  PEND: {
    title: 'Payment in progress',
    text: 'It is not decided yet. The shop will be told as soon as it is.',
    look: 'quiet',
  },
} as const;

/** `wasWrong`: a code was just tried, and another may be. */
export const payerPageOf = (transaction: Transaction, wasWrong = false): string => {
  const { status, nextAction, error } = transaction;
  if (nextAction?.type === 'otp') return codePage(transaction, nextAction.channel, wasWrong);
  if (nextAction?.type === 'redirect') return continuePage(transaction, nextAction.url);
  const { title, text, look } = words[status];
  const reason = error ? `<p class="${look}">${escapeHtml(error.message)}.</p>` : '';
  return pageOf({
    title,
    body: `${headingOf(title, transaction)}\n${reason}\n<p class="quiet">${escapeHtml(text)}</p>`,
  });
};

const headingOf = (title: string, { money, descriptor }: Transaction): string =>
  `<h1>${escapeHtml(title)}</h1>
<p class="amount">${escapeHtml(`${formatAmount(moneyOf(money))} ${money.currency}`)}</p>
${descriptor ? `<p class="quiet">${escapeHtml(descriptor)}</p>` : ''}`;

const codePage = (transaction: Transaction, channel: string, wasWrong: boolean): string => {
  const title = 'Confirm your payment';
  const wrong = '<p class="bad" role="alert">That code is not right. Look at it again, and try once more.</p>';
  // Without an action the form goes to the page's own address, its token included.
  const form = `<form method="post">
<label for="code">The code you got by ${escapeHtml(channel)}
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20" autofocus></label>
<button>Confirm</button>
</form>`;
  return pageOf({ title, body: `${headingOf(title, transaction)}\n${wasWrong ? wrong : ''}\n${form}` });
};

const continuePage = (transaction: Transaction, url: string): string => {
  const title = 'One more step';
  const link = `<p><a class="button" href="${escapeHtml(url)}">Go on to confirm</a></p>`;
  return pageOf({
    title,
    body: `${headingOf(title, transaction)}\n<p class="quiet">Your bank wants you to confirm this payment.</p>\n${link}`,
  });
};

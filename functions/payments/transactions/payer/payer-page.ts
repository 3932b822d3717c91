import { escapeHtml } from '#core/kernel/html.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { renderPage } from '#core/platform/http/page.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { isTransactionFinal, type Transaction } from '../transaction/transaction.ts';
import type { Visited } from './payer-flow.ts';
import { fillIn, type Language, type PayerWords, wordsIn } from './payer-words.ts';

/** The page of a payment for its payer: what to do, or how it ended. It shows nothing of the card. */

const looks = { OK: 'good', EXC: 'bad', PEND: '' } as const;
const keysOf = {
  OK: ['complete', 'completeText'],
  EXC: ['failed', 'failedText'],
  PEND: ['pending', 'pendingText'],
} as const;

/** The last action on the page: a wrong code, or a request for another one. */
export type JustDone = 'tried' | 'resent' | null;

/** `language`: of the payer's browser. */
export const payerPageOf = (
  { transaction, shop }: Visited,
  justDone: JustDone = null,
  language: Language = 'en',
): string => {
  const words = wordsIn(language);
  const { title, look = '', below } = toView(transaction, justDone, words);
  const { money, descriptor, processor } = transaction;
  const amount = `${formatAmount(fromKeptMoney(money))} ${money.currency}`;
  const payee = [shop, descriptor].filter(Boolean).join(' · ');
  return renderPage({
    title,
    language,
    ...(processor === 'sandbox' && { banner: words.testBanner }),
    body: `<h1 class="${look}">${escapeHtml(title)}</h1>
${payee ? `<p class="quiet">${fillIn(words.to, escapeHtml(payee))}</p>` : ''}
<p class="amount">${escapeHtml(amount)}</p>
${below}
${wayBack(transaction, words)}`,
  });
};

/** Where the shop wants its payer back, with what it is to know; undefined if it did not say. */
const shopUrlOf = ({ returnUrl, txid, status }: Transaction): string | undefined => {
  if (returnUrl === undefined) return undefined;
  const url = new URL(returnUrl);
  url.searchParams.set('txid', String(txid));
  url.searchParams.set('status', status);
  return url.href;
};

/** Returns the headers that redirect a browser once the transaction is final; the page has the same link. */
export const onwardHeaders = (transaction: Transaction): Record<string, string> => {
  const url = isTransactionFinal(transaction) ? shopUrlOf(transaction) : undefined;
  return url === undefined ? {} : { refresh: `0; url=${url}` };
};

const wayBack = (transaction: Transaction, words: PayerWords): string => {
  const url = shopUrlOf(transaction);
  if (url === undefined) return '';
  const label = transaction.nextAction ? words.cancel : words.back;
  return `<p><a class="${transaction.nextAction ? 'quiet' : 'button'}" href="${escapeHtml(url)}">${label}</a></p>`;
};

type View = { title: string; look?: string; below: string };

const toView = ({ status, nextAction, error, processor }: Transaction, justDone: JustDone, words: PayerWords): View => {
  if (nextAction?.type === 'otp') return codeView(nextAction, justDone, processor === 'sandbox', words);
  if (nextAction?.type === 'redirect') return continueView(nextAction.url, words);
  const [title, text] = keysOf[status];
  const look = looks[status];
  const reason = error ? `<p class="${look}" role="alert">${escapeHtml(error.message)}.</p>\n` : '';
  return { title: words[title], look, below: `${reason}<p class="quiet">${escapeHtml(words[text])}</p>` };
};

type Otp = Extract<NonNullable<Transaction['nextAction']>, { type: 'otp' }>;

const codeView = ({ channel, tries_left: left }: Otp, justDone: JustDone, isTest: boolean, words: PayerWords): View => {
  const tries = left === undefined ? '' : ` ${left === 1 ? words.oneLeft : fillIn(words.manyLeft, String(left))}`;
  const said = {
    tried: `<p class="bad" role="alert">${escapeHtml(words.wrongCode + tries)}</p>`,
    resent: `<p class="good" role="status">${escapeHtml(words.resent)}</p>`,
  };
  const test = isTest ? `<p class="quiet">${escapeHtml(words.testCode)}</p>\n` : '';
  // Without an action a form goes to the page's own address, its token included.
  const forms = `<form method="post">
<label for="code">${escapeHtml(fillIn(words.codeLabel, channel))}
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20" autofocus></label>
<button>${escapeHtml(words.confirm)}</button>
</form>
<form method="post"><button class="second" name="resend" value="1">${escapeHtml(words.resend)}</button></form>`;
  return { title: words.confirmTitle, below: `${justDone ? said[justDone] : ''}\n${test}${forms}` };
};

const continueView = (url: string, words: PayerWords): View => ({
  title: words.stepTitle,
  below: `<p class="quiet">${escapeHtml(words.stepText)}</p>
<p><a class="button" href="${escapeHtml(url)}">${escapeHtml(words.goOn)}</a></p>`,
});

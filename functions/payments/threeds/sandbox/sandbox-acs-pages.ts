import { escapeHtml } from '#core/kernel/html.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { readCurrencyCode } from '#core/kernel/money/numeric-codes.ts';
import { renderPage, testBanner } from '#core/platform/http/page.ts';
import { framePolicy } from '../payer/frame-pages.ts';
import { toBase64Url } from '../server/base64url.ts';
import { makeCres, maxCodes, type SandboxChallenge } from './sandbox-challenge.ts';

/** The pages of the sandbox's issuers. They appear in a frame on a merchant's page, in any of EMVCo's sizes. */

/** They run one script, which posts a form, and post only to this service. */
export const acsHeaders = (allowLoopbackHttp: boolean): Record<string, string> => ({
  'content-security-policy': framePolicy(allowLoopbackHttp)
    .replace("connect-src 'self'", "style-src 'unsafe-inline'")
    .replace(/frame-src [^;]+/, "frame-src 'none'")
    .replace(/form-action [^;]+/, "form-action 'self'"),
  'referrer-policy': 'no-referrer',
});

/** Posts the form of a page that has one. */
export const acsScript = `document.querySelector('form[data-post]')?.requestSubmit();\n`;

const script = '<script src="acs.js" defer></script>';

/** A page that continues by itself; it has a button for browsers without scripts. */
const goesOn = (title: string, action: string, field: string, value: string): string =>
  renderPage({
    title,
    banner: testBanner,
    body: `<h1>${escapeHtml(title)}</h1>
<form method="post" action="${escapeHtml(action)}" data-post>
<input type="hidden" name="${field}" value="${escapeHtml(value)}">
<button>Continue</button>
</form>
${script}`,
  });

/** The issuer checks the browser, and is done; or never reports that. `notificationUrl`: null if it is not Forewarn's. */
export const methodPage = (serverTransId: string, notificationUrl: string | null): string =>
  notificationUrl === null
    ? renderPage({ title: 'Checking your browser', body: '<h1>Checking your browser</h1>' })
    : goesOn(
        'Checking your browser',
        notificationUrl,
        'threeDSMethodData',
        toBase64Url({ threeDSServerTransID: serverTransId }),
      );

const acsAmount = ({ minor, currencyNumber }: SandboxChallenge): string => {
  const currency = readCurrencyCode(currencyNumber) ?? '';
  return `${formatAmount({ minor: BigInt(minor), currency })} ${currency}`;
};

const details = (challenge: SandboxChallenge): string =>
  `<p class="quiet">${escapeHtml(challenge.merchantName)} · card ending in ${escapeHtml(challenge.cardEnd)}</p>
<p class="amount">${escapeHtml(acsAmount(challenge))}</p>`;

const wrongCode = ({ wrongCodes }: SandboxChallenge): string => {
  if (wrongCodes === 0) return '';
  const left = maxCodes - wrongCodes;
  return `<p class="bad" role="alert">That code is not right. ${left === 1 ? 'One try is' : `${left} tries are`} left.</p>`;
};

const questionPage = (challenge: SandboxChallenge, creq: string): string =>
  renderPage({
    title: 'Confirm your payment',
    banner: testBanner,
    body: `<h1>Confirm your payment</h1>
${details(challenge)}
${wrongCode(challenge)}
<form method="post" action="answer">
<input type="hidden" name="creq" value="${escapeHtml(creq)}">
<label for="code">Code by SMS
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" size="6"></label>
<p class="quiet">For this test the code is 123456.</p>
<button name="action" value="confirm">Confirm</button>
<button class="second" name="action" value="cancel">Cancel</button>
<button class="second" name="action" value="late">Confirm, answer late</button>
<button class="second" name="action" value="never">Never answer</button>
</form>`,
  });

/** The issuer's page for the present state of the challenge: a question, or the way back to the shop. */
export const challengePage = (challenge: SandboxChallenge, creq: string): string =>
  challenge.end
    ? goesOn('Back to the shop', challenge.notificationUrl, 'cres', makeCres(challenge))
    : questionPage(challenge, creq);

/** The issuer no longer answers. */
export const silentPage = renderPage({
  title: 'No answer',
  banner: testBanner,
  body: '<h1>No answer</h1>\n<p class="quiet">This issuer says nothing from here on. Close the window, or wait.</p>',
});

import { escapeHtml } from '#core/kernel/html.ts';
import { renderPage, testBanner } from '#core/platform/http/page.ts';
import { sdkVersions } from '../payer/sdk-files.ts';

/** A shop of one cup of tea, whose page does with the SDK what a merchant's page and server do. */

/**
 * The content security policy of the page: run Forewarn's scripts, call this service, and open its frame. Merchants' policies name no more
 * than that.
 */
export const shopHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src 'self'; style-src 'unsafe-inline'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** One card for each course that an authentication can take; docs/sandbox.md has all of them. */
const cards = [
  ['4000100511192072', 'VISA', 'the bank asks for a code'],
  ['4000100511122103', 'VISA', 'authenticated at once'],
  ['5200100511182003', 'MASTERCARD', 'authenticated after a look at the browser'],
  ['4000100511182123', 'VISA', 'attempted'],
  ['4000100511102113', 'VISA', 'not authenticated'],
  ['5200100511112133', 'MASTERCARD', 'rejected, with a word of the bank'],
  ['4000100511112153', 'VISA', 'the bank cannot say'],
  ['4000100511112070', 'VISA', 'challenged, and passes by itself'],
  ['5200100511152071', 'MASTERCARD', 'challenged, and fails by itself'],
  ['5200100511123072', 'MASTERCARD', 'the bank asks for a code, version 2.3.1'],
  ['4000100111181111', 'VISA', 'the bank takes no part'],
] as const;

const options = cards
  .map(([number, scheme, says]) => `<option value="${number}">${scheme} …${number.slice(-4)}: ${says}</option>`)
  .join('\n');

const field = (id: string, label: string, attributes: string): string =>
  `<label for="${id}">${label}\n<input id="${id}" name="${id}" ${attributes}></label>`;

const sites = `<details id="sites">
<summary>Sites</summary>
<p class="quiet">A merchant’s server keeps these to itself. This page plays that server too, so that you can see each of its calls.</p>
${field('three_ds_sid', '3DS site', 'inputmode="numeric" required')}
${field('three_ds_rcode', 'Its rcode', 'type="password" autocomplete="off" required')}
${field('payment_sid', 'Payment site', 'inputmode="numeric" required')}
${field('payment_rcode', 'Its rcode', 'type="password" autocomplete="off" required')}
${field('postback_url', 'Where it is told of payments', 'type="url" required')}
</details>`;

const style = `<style>
main { max-width: 34rem; }
select { font: inherit; width: 100%; padding: .6rem .5rem; border: 1px solid var(--quiet); border-radius: .5rem; background: var(--card); color: inherit; }
input { min-width: 0; width: 100%; }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem; }
details { display: grid; gap: .75rem; }
details label { margin-top: .75rem; }
summary { cursor: pointer; font-weight: 600; }
label.choice { display: flex; gap: .5rem; align-items: center; font-weight: 400; }
label.choice input { width: auto; }
ol { padding-left: 1.25rem; } li { margin: .25rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; background: var(--paper); padding: .75rem; border-radius: .5rem; margin: .25rem 0; }
#bank { margin-top: 1rem; }
button:disabled { opacity: .6; cursor: wait; }
</style>`;

/** `integrity`: the hash of the SDK, by which the browser checks it. */
export const shopPage = (integrity: string): string =>
  renderPage({
    title: 'A cup of tea',
    banner: testBanner,
    body: `${style}
<h1>A cup of tea</h1>
<p class="amount">10.00 USD</p>
<form id="pay" novalidate>
<label for="card">Test card
<select id="card">
${options}
</select></label>
${field('number', 'Card number', 'inputmode="numeric" autocomplete="off" required')}
<div class="row">
${field('month', 'Month', 'inputmode="numeric" maxlength="2" value="12" required')}
${field('year', 'Year', 'inputmode="numeric" maxlength="4" required')}
${field('cvv', 'Security code', 'inputmode="numeric" maxlength="4" value="123" required')}
</div>
${field('holder', 'Name on the card', 'value="Ada Example" required')}
<label class="choice" for="inline"><input id="inline" type="checkbox"> Show the bank in this page</label>
${sites}
<button id="button">Pay</button>
</form>
<div id="bank"></div>
<section aria-live="polite" aria-label="What happens"><ol id="steps"></ol></section>
<p id="end" role="status"></p>
<noscript><p class="bad">This shop needs JavaScript, as the SDK does.</p></noscript>
<script src="../sdk/3ds/${sdkVersions[0]}.js" integrity="${escapeHtml(integrity)}" defer></script>
<script src="shop.js" defer></script>`,
  });

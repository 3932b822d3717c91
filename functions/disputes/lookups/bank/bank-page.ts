import * as v from 'valibot';
import { escapeHtml } from '#core/kernel/html.ts';
import { parseStrictJson } from '#core/kernel/schema/strict-json.ts';
import { pageHeaders, renderPage, testBanner } from '#core/platform/http/page.ts';
import { type BankView, bankViews, demoCard, type StatementCharge } from './bank.ts';
import type { BankReply } from './bank-client.ts';
import { ReceiptAnswer, receiptHtml } from './bank-receipt.ts';

/** The app of a bank, as far as a cardholder needs it to see what a charge was. Forms only; no script runs. */

const h = escapeHtml;

const style = `
main { max-width: 62rem; }
h2 { font-size: 1.125rem; margin: 0; } h3 { font-size: .9375rem; margin: 1.25rem 0 .25rem; }
.panes { display: grid; gap: 1.5rem; }
#answer { scroll-margin-top: 1rem; }
@media (min-width: 50rem) { .panes { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } #answer { scroll-margin-top: 50vh; } }
.charges { list-style: none; margin: .75rem 0 0; padding: 0; display: grid; gap: .5rem; }
.charges form, .views { margin: 0; }
.charges button { width: 100%; display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; text-align: start; font-weight: 500; background: transparent; color: inherit; border-color: var(--line); }
.charges button[aria-current] { border-color: var(--act); box-shadow: inset 3px 0 var(--act); }
.charges small { display: block; color: var(--quiet); }
.charges .sum, .items span:last-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
.views { display: flex; flex-wrap: wrap; gap: .5rem; }
.views button { padding: .35rem .75rem; font-size: .875rem; background: transparent; color: var(--act); }
.views button[aria-current] { background: var(--act); color: var(--card); }
.shop { display: flex; gap: .75rem; align-items: center; margin-top: 1.25rem; }
.logo { flex: none; position: relative; width: 3rem; height: 3rem; border-radius: .5rem; background: var(--act); color: var(--card); display: grid; place-items: center; font-size: 1.5rem; font-weight: 700; overflow: hidden; }
.logo img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.shop p { margin: 0; }
.items { list-style: none; margin: 0; padding: 0; }
.items li, dl div { display: flex; gap: 1rem; justify-content: space-between; padding: .3rem 0; border-bottom: 1px solid var(--line); }
.items small { display: block; color: var(--quiet); }
dl { margin: 0 0 .5rem; } dt { flex: none; max-width: 50%; color: var(--quiet); } dd { margin: 0; text-align: end; min-width: 0; }
a { color: var(--act); }
pre { overflow-x: auto; max-height: 24rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; font-size: .8125rem; white-space: pre-wrap; }
summary { cursor: pointer; font-weight: 600; padding: .5rem 0; }
`;

/** The headers of all pages, except that shops' logos may load. */
export const bankHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': `${pageHeaders['content-security-policy']}; img-src https:`,
};

const hiddenInput = (name: string, value: string | number): string =>
  `<input type="hidden" name="${name}" value="${h(String(value))}">`;

/** The form that asks which merchant's charges the statement should show. */
export const chooserPage = (problem: string | null): string =>
  renderPage({
    title: 'Sandbox Bank',
    banner: testBanner,
    body: `<h1>Sandbox Bank</h1>
${problem === null ? '' : `<p class="bad">${h(problem)}</p>`}
<p class="quiet">Shows how a bank’s app tells its cardholder what a charge of the test card 4242 was. Whose charges?</p>
<form method="get"><label>The merchant’s oi_merchant_id <input name="client" required maxlength="65" autocomplete="off"></label>
<button>Show the statement</button></form>`,
  });

/** The right side of the page: the answer to a question, or the result of a dispute. */
export type Below =
  | { kind: 'nothing' }
  | { kind: 'receipt'; orderId: number; view: BankView; answer: BankReply }
  | { kind: 'dispute'; orderId: number; answer: BankReply };

/** In a narrow window the answer is below the statement, so the next page must open there. */
const asking = 'method="post" action="#answer"';

const chargeForm =
  (clientId: string, current: number | null) =>
  ({ orderId, descriptor, at, amount, currency }: StatementCharge): string =>
    `<li><form ${asking}>${hiddenInput('client', clientId)}${hiddenInput('order', orderId)}${hiddenInput('view', 'cardholder')}
<button name="action" value="ask"${orderId === current ? ' aria-current="true"' : ''}><span>${h(descriptor)}<small>${h(at.slice(0, 10))}</small></span><span class="sum">${h(`${amount} ${currency}`)}</span></button></form></li>`;

const statementHtml = (clientId: string, charges: readonly StatementCharge[], current: number | null): string =>
  `<section aria-labelledby="statement"><h2 id="statement">Card ${demoCard.first6.slice(0, 4)} •••• ${demoCard.last4}</h2>
${
  charges.length === 0
    ? '<p class="quiet">No charges. Pay with this test card, or store an order of it.</p>'
    : `<ul class="charges">${charges.map(chargeForm(clientId, current)).join('\n')}</ul>`
}</section>`;

const viewNames: Readonly<Record<BankView, string>> = {
  cardholder: 'Cardholder’s app',
  agent: 'Bank’s agent',
  evidence: 'Evidence',
};

const viewsHtml = (clientId: string, orderId: number, current: BankView): string =>
  `<form class="views" ${asking}>${hiddenInput('client', clientId)}${hiddenInput('order', orderId)}${hiddenInput('action', 'ask')}
${bankViews.map((view) => `<button name="view" value="${view}"${view === current ? ' aria-current="true"' : ''}>${h(viewNames[view])}</button>`).join('\n')}</form>`;

const disputeHtml = (clientId: string, orderId: number): string =>
  `<form ${asking}>${hiddenInput('client', clientId)}${hiddenInput('order', orderId)}${hiddenInput('view', 'cardholder')}
<button class="second" name="action" value="dispute">I don’t recognise this</button></form>`;

const rawHtml = (text: string): string =>
  `<details><summary>What the bank was answered</summary><pre tabindex="0">${h(text)}</pre></details>`;

const unanswered = '<p class="bad">The bank was given no answer, and shows nothing.</p>';

const answerHtml = (answer: NonNullable<BankReply>, view: BankView): string => {
  const read = v.safeParse(ReceiptAnswer, parseStrictJson(answer.text));
  if (read.success) return receiptHtml(read.output, view === 'evidence');
  const status = v.safeParse(
    v.object({ status: v.picklist(['NOT_FOUND', 'MULTIPLE_FOUND']) }),
    parseStrictJson(answer.text),
  );
  if (!status.success) return `<p class="bad">The bank was refused: ${answer.status}.</p>`;
  return status.output.status === 'NOT_FOUND'
    ? '<p class="quiet">The shop knows no such purchase.</p>'
    : '<p class="quiet">More than one purchase fits, so none is shown.</p>';
};

const Received = v.object({ alert_id: v.number(), matched: v.boolean() });

const disputedHtml = (answer: NonNullable<BankReply>): string => {
  const read = v.safeParse(Received, parseStrictJson(answer.text));
  if (!read.success) return `<p class="bad">The dispute was refused: ${answer.status}.</p>`;
  const { alert_id: id, matched } = read.output;
  return `<h2>Dispute sent</h2><p>The merchant is warned by alert ${id}.</p>
${matched ? '' : '<p class="quiet">No site has enrolled this descriptor: the alert waits in the unmatched inbox.</p>'}`;
};

const belowHtml = (clientId: string, below: Below): string => {
  if (below.kind === 'nothing') return '<p class="quiet">Choose a charge to see what it was.</p>';
  const { orderId, answer } = below;
  if (below.kind === 'dispute')
    return `${answer ? disputedHtml(answer) : unanswered}${viewsHtml(clientId, orderId, 'cardholder')}`;
  const raw = answer && below.view !== 'cardholder' ? rawHtml(answer.text) : '';
  return `${viewsHtml(clientId, orderId, below.view)}
${answer ? answerHtml(answer, below.view) : unanswered}
${raw}
${disputeHtml(clientId, orderId)}`;
};

/** Renders the statement, and next to it the answer to a question about one of its charges. */
export const bankPage = (clientId: string, charges: readonly StatementCharge[], below: Below): string =>
  renderPage({
    title: 'Sandbox Bank',
    banner: testBanner,
    style,
    body: `<h1>Sandbox Bank</h1>
<div class="panes">
${statementHtml(clientId, charges, below.kind === 'nothing' ? null : below.orderId)}
<section id="answer" aria-label="What the charge was">${belowHtml(clientId, below)}</section>
</div>`,
  });

import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { returnLink } from '#payments/transactions/payer/return-link.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { adyenRoute, routeTo, useAccounts } from './accounts.ts';
import { newShop, pay, preauth, readStatus, tryPay } from './shop.ts';

useOperations();
const accounts = useAccounts();

let shop: Tenant;
beforeAll(async () => {
  // It keeps orders, so that a payment that comes to nothing takes its own away again.
  shop = await newShop({}, { order_insights: true, oi_merchant_id: 'oi-payer-page' });
});

afterEach(() => setClock());

/** A payment whose payer is sent a code, and the link to its page. */
const waiting = async () => {
  const { txid, next_action } = await pay(shop, '10.64', { dynamic_descriptor: 'SHOP <1>' });
  return { txid, token: new URL(next_action?.url ?? '').searchParams.get('token') ?? '' };
};
const look = (txid: number, token: string) =>
  ask('transactions/payer-page', { params: { id: txid }, query: { token } });
const send = (txid: number, token: string, code: string) =>
  ask('transactions/payer-page-answer', {
    params: { id: txid },
    query: { token },
    body: new URLSearchParams({ code }),
    requestId: randomUUID(),
  });

describe('the page of a payment that waits for a code', () => {
  it('asks for it, and shows the result', async () => {
    const { txid, token } = await waiting();
    const page = await look(txid, token);
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("'none'"),
      },
    });
    expect(page.body).toContain('10.64 USD');
    expect(page.body).toContain('SHOP &lt;1&gt;');
    expect(page.body).not.toMatch(/4242/);
    const wrong = await send(txid, token, '000000');
    expect(wrong.body).toContain('That code is not right');
    expect((await send(txid, token, '123456')).body).toContain('Payment complete');
    expect((await look(txid, token)).body).toContain('Payment complete');
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'OK' });
    // Sent again, it changes nothing.
    expect((await send(txid, token, '000000')).body).toContain('Payment complete');
  });

  it('gives up after three wrong codes, and says that nothing was charged', async () => {
    const { txid, token } = await waiting();
    for (const code of ['1', '2']) expect((await send(txid, token, code)).body).toContain('That code is not right');
    const last = await send(txid, token, '3');
    expect(last.body).toContain('Payment not made');
    expect(last.body).toContain('The authentication failed');
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'authentication_failed' });
  });
});

describe('the page in the language of the payer', () => {
  it('is what the browser asks for, its answers included', async () => {
    const { txid, token } = await waiting();
    const asked = { params: { id: txid }, query: { token }, headers: { 'accept-language': 'de-CH,en;q=0.5' } };
    const page = String((await ask('transactions/payer-page', asked)).body);
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('Zahlung bestätigen');
    const body = new URLSearchParams({ code: '000000' });
    const wrong = String(
      (await ask('transactions/payer-page-answer', { ...asked, body, requestId: randomUUID() })).body,
    );
    expect(wrong).toContain('Dieser Code ist nicht richtig');
    expect(wrong).not.toContain('That code');
  });
});

describe('the way back to the shop', () => {
  const return_url = 'https://shop.example/done?order=7';
  const tokenIn = (url: string | undefined) => new URL(url ?? '').searchParams.get('token') ?? '';

  it('is taken once the result of the payment is known, with its number and status', async () => {
    const { txid, next_action } = await pay(shop, '10.64', { return_url });
    const page = await look(txid, tokenIn(next_action?.url));
    expect(page.headers).not.toHaveProperty('refresh');
    expect(page.body).toContain(`href="https://shop.example/done?order=7&amp;txid=${txid}&amp;status=PEND"`);
    expect(page.body).toContain('Cancel and go back to the shop');
    const done = await send(txid, tokenIn(next_action?.url), '123456');
    const url = `https://shop.example/done?order=7&txid=${txid}&status=OK`;
    expect(done.headers).toMatchObject({ refresh: `0; url=${url}` });
    expect((await look(txid, tokenIn(next_action?.url))).headers).toMatchObject({ refresh: `0; url=${url}` });
  });

  it('has to be a public address, as postbacks have to go to one', async () => {
    for (const bad of ['http://shop.example/', 'https://10.0.0.1/', 'javascript:alert(1)', 'shop']) {
      expect(await tryPay(shop, '10.00', { return_url: bad })).toMatchObject({
        status: 400,
        body: { error_msg: expect.stringContaining('return_url: ') },
      });
    }
    expect(await pay(shop, '10.00', { return_url: '' })).toMatchObject({ status: 'OK' });
  });

  it("uses Forewarn's own page where the shop named none", async () => {
    const { txid, token } = await waiting();
    const done = await send(txid, token, '123456');
    expect(done.headers).not.toHaveProperty('refresh');
    expect(done.body).not.toContain('href=');
  });
});

it('a page names the shop, says how many tries are left, and has another code sent', async () => {
  const { txid, token } = await waiting();
  const { body } = await look(txid, token);
  expect(body).toContain('A site · SHOP &lt;1&gt;');
  expect(body).toContain('the right code is 123456');
  expect((await send(txid, token, '1')).body).toContain('2 tries are left.');
  const form = new URLSearchParams({ resend: '1' });
  const again = await ask('transactions/payer-page-answer', { params: { id: txid }, query: { token }, body: form });
  expect(again.body).toContain('Another code is on its way');
  expect((await send(txid, token, '2')).body).toContain('One try is left.');
  const empty = await ask('transactions/payer-page-answer', {
    params: { id: txid },
    query: { token },
    body: new URLSearchParams(),
  });
  expect(empty).toMatchObject({ status: 400 });
});

const token = async (txid: number) =>
  new URL(returnLink('https://x.example', txid, await keyRing('encryption'))).searchParams.get('token') ?? '';

describe('the page of any other payment', () => {
  it('goes on with what the payer brings back from the issuer', async () => {
    const adyenShop = await newShop({}, { order_insights: true, oi_merchant_id: 'oi-payer-page-adyen' });
    await routeTo(adyenShop, adyenRoute(accounts.adyen));
    const { txid, next_action } = await pay(adyenShop, '10.00', { card_no: '4000002760003184' });
    const redirectResult = accounts.adyen.authenticate(next_action?.url ?? '', 'approve');
    const query = { token: await token(txid), redirectResult };
    expect((await ask('transactions/payer-page', { params: { id: txid }, query })).body).toContain('Payment complete');
    expect(await readStatus(adyenShop, txid)).toMatchObject({ status: 'OK' });
    const other = await pay(adyenShop, '10.00', { card_no: '4000002760003184' });
    const declined = accounts.adyen.authenticate(other.next_action?.url ?? '', 'decline');
    const back = { token: await token(other.txid), redirectResult: declined };
    expect((await ask('transactions/payer-page', { params: { id: other.txid }, query: back })).body).toContain(
      'Payment not made',
    );
  });

  it('leads on to where the payer has to go, or says how it stands', async () => {
    const shown = async ({ txid }: { txid: number }) => (await look(txid, await token(txid))).body;
    expect(await shown(await pay(shop, '10.63'))).toContain('Go on to confirm');
    expect(await shown(await pay(shop, '10.61'))).toContain('Payment in progress');
    expect(await shown(await preauth(shop, '10.00'))).toContain('Payment complete');
    const later = await pay(shop, '10.61');
    expect((await send(later.txid, await token(later.txid), '123456')).body).toContain('Payment in progress');
    setClock(() => Date.now() + 61_000);
    expect(await shown(later)).toContain('Payment complete');
  });

  it('is hidden without its own link', async () => {
    const [one, other] = [await waiting(), await waiting()];
    for (const answer of await Promise.all([
      look(one.txid, other.token),
      look(1, one.token),
      send(one.txid, 'x', '1'),
    ])) {
      expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(answer.body).toContain('No such page');
    }
  });
});

it.each(['transactions/payer-page', 'transactions/payer-page-answer'])('%s does what it declares', (name) => {
  expectDeclared(name);
});

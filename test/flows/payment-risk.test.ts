import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visaNumbers } from '#test/payments/threeds/contract.ts';
import { authenticateOverHttp } from '#test/support/authentications.ts';
import { expectNoErrors, merchantToken } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { openShop, type Shop } from '#test/support/storefront.ts';

/** The services around a payment: fraud checks, other currencies, payouts and the balance, the search by card. */
let service: TestStack;
let admin: string;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  admin = await service.tokenOf('admin');
});
afterAll(() => service.stop());

const asAdmin = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const reply = await service.call(`/api/v3${path}`, { token: admin, body });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
};
/** A shop with a payment site of its own. */
const newShop = async (payment: object): Promise<Shop> => {
  const { mid, rid } = service.credentials.payment_site;
  const made = await asAdmin(`/site/mid/${mid}/rid/${rid}/create`, { name: 'Another shop', currency: 'USD' });
  const sid = Number(made['sid']);
  await asAdmin(`/site/mid/${mid}/rid/${rid}/sid/${sid}/payment`, payment);
  return openShop(service, { sid, rcode: String(made['rcode']) });
};

describe('a fraud template', () => {
  let shop: Shop;
  let ftid: number;
  beforeAll(async () => {
    const above = (value: number, decision: string) => ({
      name: `Above ${value}`,
      conditions: { all: [{ fact: 'amount', operator: 'greaterThan', value, params: { currency: 'USD' } }] },
      effect: { decision },
    });
    const rules = [above(100, 'REVIEW'), above(500, '3DS'), above(1000, 'REJECT')];
    const added = await asAdmin('/datasource/fraudtemplate/add', { name: 'By amount', scorer: 'none', rules });
    ftid = Number(added['id']);
    shop = await newShop({ ftid });
  });

  it.each([
    ['50.00', { status: 'OK', fraud: { score: 0, decision: 'ACCEPT' } }],
    ['150.00', { status: 'OK', fraud: { score: 0, decision: 'REVIEW' } }],
    ['1500.00', { status: 'EXC', error_code: 'fraud_rejected', fraud: { score: 0, decision: 'REJECT' } }],
  ])('decides a payment of %s', async (amount, expected) => {
    const paid = await shop.pay(amount);
    expect(paid).toMatchObject(expected);
    expect(await shop.postbacks(paid.txid)).toMatchObject([expected]);
  });

  it('sends the payer of 550.00 to their issuer, and charges once they have come through', async () => {
    const pending = await shop.pay('550.00');
    expect(pending).toMatchObject({ status: 'PEND', next_action: { type: 'redirect' } });
    const body = new URLSearchParams({ answer: 'approve' });
    expect((await fetch(pending.next_action?.url ?? '', { method: 'POST', body })).status).toBe(200);
    await service.untilIdle();
    expect(await shop.postbacks(pending.txid)).toMatchObject([{ status: 'OK' }]);
  });

  it('lets a payment go on that was authenticated here, by its number alone', async () => {
    const { three_ds_site } = service.credentials;
    const card_no = visaNumbers[2103];
    const authentication_id = await authenticateOverHttp(service, three_ds_site, card_no, {
      ...{ amount: '551.00', currency: 'USD' },
    });
    const threeDSecure = JSON.stringify({ authentication_id });
    const paid = await shop.pay('551.00', { card_no, threeDSecure }, 'form');
    const three_ds = { source: 'verified', authentication_id, outcome: 'authenticated', liability_shift: true };
    expect(paid).toMatchObject({ status: 'OK', fraud: { decision: '3DS' }, three_ds });
    expect(await shop.postbacks(paid.txid)).toMatchObject([{ status: 'OK', three_ds }]);
    expect(await shop.send(`${shop.path}/singletx`, shop.orderOf('551.00', { card_no, threeDSecure }))).toMatchObject({
      ...{ status: 409, body: { error_code: 'authentication_mismatch' } },
    });
  });

  it('refuses payments with made-up values', async () => {
    const threeDSecure = JSON.stringify({
      ...{ version: '2.2.0', eci: '05', cavv: 'AAABBBCCCDDDEEEFFFGGGHHHIII=', transStatus: 'Y' },
      dsTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    });
    expect(await shop.pay('552.00', { threeDSecure }, 'form')).toMatchObject({
      ...{ status: 'EXC', error_code: 'authentication_failed', three_ds: { source: 'merchant' } },
    });
  });

  it.each([
    ['50.00', 'ACCEPT', []],
    ['150.00', 'REVIEW', ['Above 100 (REVIEW)']],
    ['1500.00', 'REJECT', ['Above 100 (REVIEW)', 'Above 500 (3DS)', 'Above 1000 (REJECT)']],
  ])('is asked about an order of %s without a payment', async (amount, decision, reasons) => {
    const { status, body } = await shop.send(`${shop.path}/fraudcheck`, shop.orderOf(amount), 'form');
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'OK', decision, reasons, template: ftid })]);
    const details = await service.call(`/api/v3/fraud/${body['fraud_id']}/details`, {
      token: await merchantToken(service),
      body: {},
    });
    expect(details.body).toMatchObject({ kind: 'check', txid: null, decision, amount, card: '424242******4242' });
  });

  it('knows the country of a test card from the table of BINs, next to that of the payer', async () => {
    const conditions = { all: [{ fact: 'bin_country_differs', operator: 'equal', value: true }] };
    const rules = [{ name: 'Foreign card', conditions, effect: { decision: 'REJECT' } }];
    const added = await asAdmin('/datasource/fraudtemplate/add', { name: 'By country', scorer: 'none', rules });
    const other = await newShop({ ftid: Number(added['id']) });
    const german = { card_no: '4000002760000016' };
    expect(await other.pay('1.00', { country: 'US', ...german })).toMatchObject({
      status: 'EXC',
      error_code: 'fraud_rejected',
    });
    expect(await other.pay('1.01', { country: 'DE', ...german })).toMatchObject({ status: 'OK' });
    expect(await other.pay('1.02', { country: 'US' })).toMatchObject({ status: 'OK' });
    const { body } = await other.send(`${other.path}/fraudcheck`, other.orderOf('1.03', { country: 'FR' }), 'json');
    expect(body).toMatchObject({ decision: 'REJECT', reasons: ['Foreign card (REJECT)'] });
  });

  it('counts payments, the one in question among them: the third of a card within an hour is refused', async () => {
    const params = { of: 'card', window: '1h' };
    const conditions = { all: [{ fact: 'velocity_count', operator: 'greaterThanInclusive', value: 3, params }] };
    const rules = [{ name: 'Too often', conditions, effect: { decision: 'REJECT' } }];
    const added = await asAdmin('/datasource/fraudtemplate/add', { name: 'By count', scorer: 'none', rules });
    const other = await newShop({ ftid: Number(added['id']) });
    const statuses: string[] = [];
    for (const amount of ['1.00', '1.01', '1.02', '1.03']) statuses.push((await other.pay(amount)).status);
    expect(statuses).toEqual(['OK', 'OK', 'EXC', 'EXC']);
  });
});

it('a payment in another currency is converted, quoted, and refunded at the rate it was made with', async () => {
  const shop = await newShop({});
  await asAdmin('/pricing/rate/set', { from: 'EUR', to: 'USD', rate: '1.10', source: 'a test' });
  const paid = await shop.convertAndPay('20.00', { currency: 'EUR' });
  const converted = { original_amount: 20, original_currency: 'EUR', fxrate: 1.1 };
  expect(paid).toMatchObject({ status: 'OK', amount: 22, currency: 'USD', ...converted });
  await asAdmin('/pricing/rate/set', { from: 'EUR', to: 'USD', rate: '2.00', source: 'a test' });
  const wrong = await shop.tryRefund(paid.txid, { amount: '20.00', currency: 'GBP' });
  expect([wrong.status, wrong.body['details']]).toEqual([400, expect.stringContaining('charged in USD, for EUR')]);
  expect(await shop.refund(paid.txid, '11.00')).toMatchObject({
    ...{ status: 'OK', amount: 11, currency: 'USD' },
    ...{ ...converted, original_amount: 10 },
  });
  const rest = await shop.tryRefund(paid.txid, { amount: '10.00', currency: 'EUR' });
  expect(rest.body).toMatchObject({ status: 'OK', amount: 11, currency: 'USD', original_amount: 10 });
  expect((await shop.tryRefund(paid.txid, { amount: '0.01' })).status).toBe(409);
});

it('the balance follows payments, refunds and payouts', async () => {
  const shop = await newShop({});
  expect(await shop.balance()).toEqual([]);
  const paid = await shop.pay('100.00');
  const slow = await shop.refund(paid.txid, '20.61');
  expect(await shop.balance()).toEqual([{ currency: 'USD', available: 79.39, reserved: 20.61 }]);
  await service.clock.advance('PT2M');
  expect(await shop.status(slow.txid)).toMatchObject({ status: 'OK' });
  expect(await shop.balance()).toEqual([{ currency: 'USD', available: 79.39, reserved: 0 }]);
  expect(await shop.payOut('30.00')).toMatchObject({ status: 'OK', tx_action: 'PAYOUT', amount: 30 });
  expect(await shop.balance()).toEqual([{ currency: 'USD', available: 49.39, reserved: 0 }]);
  const sending = await shop.payOut('10.61');
  expect(await shop.balance()).toEqual([{ currency: 'USD', available: 38.78, reserved: 10.61 }]);
  await service.clock.advance('PT2M');
  expect(await shop.postbacks(sending.txid)).toMatchObject([{ status: 'OK', tx_action: 'PAYOUT', amount: 10.61 }]);
  expect(await shop.balance()).toEqual([{ currency: 'USD', available: 38.78, reserved: 0 }]);
});

it('the search by card finds what was paid, by all of it or its ends, and mails it to who paid', async () => {
  const shop = await newShop({});
  const card = { card_type: 'MASTERCARD', card_no: '5105 1051 0510 5100', email: 'eve@example.com' };
  const paid = [await shop.pay('7.00', { ...card, tid: 'found' }), await shop.pay('8.00', card)];
  await service.untilIdle();
  const token = await merchantToken(service);
  const searched = async (path: string, fields: object) => {
    const { status, text } = await service.call(`/api/v3/${path}`, { token, body: fields });
    expect(status).toBe(200);
    const found = JSON.parse(text) as Parameters<Shop['verified']>[0][];
    return found.map((one) => shop.verified(one).txid);
  };
  const newestFirst = paid.map(({ txid }) => txid).toReversed();
  for (const wanted of [
    { card_no: '5105105105105100' },
    { card_no: '510510******5100' },
    { card_firstsix: 510510 },
    { card_firstsix: 510510, card_lastfour: 5100, month_year: '052026' },
  ]) {
    expect(await searched('cardtransactions', wanted)).toEqual(newestFirst);
  }
  expect(await searched('cardtransactions', { card_firstsix: 510510, month_year: '042026' })).toEqual([]);
  expect(await searched('cardsearchandemail', { card_no: '5105105105105100' })).toEqual(newestFirst);
  await service.untilIdle();
  const mails = service.mails().filter((mail) => JSON.stringify(mail).includes('eve@example.com'));
  expect(mails).toHaveLength(1);
  expect(JSON.stringify(mails)).toContain('510510******5100');
  expect(JSON.stringify(mails)).not.toContain('5105105105105100');
});

it('what a payment costs and by which options it is made is answered before it is made', async () => {
  const shop = await newShop({});
  const fees = [{ paymethod: 'VISA', percentage: '2.5', fixed: '0.10', currency: 'USD' }];
  await asAdmin(`/site/${shop.sid}/fees`, { fees });
  const { body } = await shop.send(
    `/soap/rawfeeapi.php`,
    { sid: shop.sid, rcode: shop.rcode, currency: '840', country: 'US' },
    'form',
  );
  expect(body['status']).toBe('OK');
  expect(body['paymentmethods']).toContainEqual(
    expect.objectContaining({ paymethod: 'VISA', fee: { percentage: '2.5', fixed: '0.10' }, operation: 'singletx' }),
  );
  const options = await shop.send(`${shop.path}/getpaymentoptions`, { rcode: shop.rcode, currency: 'USD' }, 'form');
  const [first] = JSON.parse(options.text);
  expect(await shop.pay('9.00', { card_type: first.paymethod })).toMatchObject({ status: 'OK' });
});

it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));

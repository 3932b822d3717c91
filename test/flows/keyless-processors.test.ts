import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { braintreeRoute, nmiRoute } from '#test/payments/transactions/accounts.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';
import { type FakeNmi, startFakeNmi } from '#test/support/fake-nmi.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { openShop, type Shop, type Webhook } from './shops.ts';

/** Payments at NMI and Braintree, which know no idempotency keys: nothing may be done twice there, whatever is lost. */

let service: TestStack;
let nmi: FakeNmi;
let braintree: FakeBraintree;
beforeAll(async () => {
  [service, nmi, braintree] = [
    await startStack({ startTime: '2026-05-02T10:00:00Z' }),
    await startFakeNmi(),
    await startFakeBraintree(),
  ];
});
afterAll(async () => {
  setClock();
  await service.stop();
  await Promise.all([nmi, braintree].map((fake) => fake[Symbol.asyncDispose]()));
});

let seen = 0;
/** Every test leaves nothing behind that went wrong. */
afterEach(async () => {
  await service.untilIdle();
  const lines = service.invocations
    .slice(seen)
    .flatMap(({ logs, error }) => [...(error ? [error.message] : []), ...logs]);
  seen = service.invocations.length;
  const unexpected = lines.flatMap((line) => /"level":"error".*?"message":"[^"]*"|.*not granted.*/.exec(line) ?? []);
  expect({ unexpected, problems: service.problems }).toEqual({ unexpected: [], problems: [] });
});

type Account = {
  name: 'nmi' | 'braintree';
  fake: () => FakeNmi | FakeBraintree;
  route: () => Record<string, unknown>;
  /** Requests that pay, and those that refund or void. */
  paying: RegExp;
  changing: RegExp;
  webhook: (reference: string, txid: number) => Webhook;
  /** The reference there of a payment with this txid. */
  referenceOf: (txid: number) => string;
};

const byOrder = (records: Map<string, { id: string; orderId: string }>, txid: number): string =>
  [...records.values()].find(({ orderId }) => orderId.startsWith(`${txid}-`))?.id ?? expect.fail('no such payment');

const accounts: Account[] = [
  {
    name: 'nmi',
    fake: () => nmi,
    route: () => nmiRoute(nmi),
    paying: /transact\.php/,
    changing: /transact\.php/,
    webhook: (reference, txid) =>
      nmi.webhook({ event_id: 'e1', event_body: { transaction_id: reference, order_id: `${txid}-0123456789abcdef` } }),
    referenceOf: (txid) => byOrder(nmi.records, txid),
  },
  {
    name: 'braintree',
    fake: () => braintree,
    route: () => braintreeRoute(braintree),
    paying: /ChargeCreditCard/,
    changing: /(?:Capture|Reverse|Refund)Transaction/,
    webhook: (reference) =>
      braintree.webhook(
        `<notification><subject><transaction><id>${reference}</id></transaction></subject></notification>`,
      ),
    referenceOf: (txid) => byOrder(braintree.records, txid),
  },
];

describe.each(accounts)('a site whose payments go to $name', (account) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(service, `${account.name}-shop`);
    await shop.routeTo(account.route());
  });
  beforeEach(() => service.sinks.clear(`${account.name}-shop`));
  const performed = () => ({ ...account.fake().performed });

  it('pays, refunds in parts once it has settled, and not too much', async () => {
    const { txid, ...paid } = await shop.pay('30.00');
    expect(paid).toMatchObject({ status: 'OK', tx_action: 'PAYMENT', amount: 30 });
    account.fake().settle();
    expect((await shop.refund(txid, '10.00')).body).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
    expect((await shop.refund(txid, '20.01')).status).toBe(409);
    expect((await shop.refund(txid, '20.00')).body).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
    expect((await shop.balance()).body).not.toMatchObject({ source: 'processor' });
  });

  it('declines a card in our own words', async () => {
    const declined = { status: 'EXC', error_code: 'insufficient_funds' };
    expect(await shop.pay('30.00', { card_no: '4000000000009995' })).toMatchObject(declined);
  });

  it('authorises, captures once and refunds whole before it settles; or voids', async () => {
    const { txid } = await shop.pay('30.00', { tx_action: 'PREAUTH' });
    expect(await shop.capture(txid, '30.00')).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
    expect((await shop.refund(txid, '30.00')).body).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
    const other = await shop.pay('12.00', { tx_action: 'PREAUTH' });
    expect((await shop.refund(other.txid, '12.00')).body).toMatchObject({ status: 'OK', tx_action: 'VOID' });
  });

  it('finds by itself what was lost, and did it once', async () => {
    const before = performed();
    account.fake().fail('lost', account.paying, 1);
    const { txid, status } = await shop.pay('31.00');
    expect(status).toBe('PEND');
    await service.clock.advance('PT2M');
    expect(shop.told(txid).at(-1)).toMatchObject({ status: 'OK' });
    account.fake().settle();
    account.fake().fail('lost', account.changing, 1);
    const refund = await shop.refund(txid, '31.00');
    expect(refund.body).toMatchObject({ status: 'PEND', tx_action: 'REFUND' });
    await service.clock.advance('PT2M');
    expect(shop.told(refund.body['txid']).at(-1)).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
    const after = performed();
    expect([after.pay - before.pay, after.refund - before.refund]).toEqual([1, 1]);
  });

  it('gives up what never arrived, and only then', async () => {
    account.fake().fail('never', account.paying, 1);
    const { txid, status } = await shop.pay('32.00');
    expect(status).toBe('PEND');
    expect(await shop.requery(txid)).toMatchObject({ status: 'PEND' });
    await service.clock.advance('PT10M');
    expect(await shop.requery(txid)).toMatchObject({ status: 'EXC', error_code: 'not_found_at_processor' });
  });

  it('sees at once what a webhook tells', async () => {
    account.fake().fail('lost', account.paying, 1);
    const { txid, status } = await shop.pay('33.00');
    expect(status).toBe('PEND');
    const webhook = account.webhook(account.referenceOf(txid), txid);
    expect(await shop.webhook(account.name, webhook)).toMatchObject({ status: 200, text: '[accepted]' });
    await service.untilIdle();
    // Braintree's webhook names no order here, and its reference is not known yet: the next check finds it.
    if (account.name === 'nmi') expect(shop.told(txid).at(-1)).toMatchObject({ status: 'OK' });
    await service.clock.advance('PT2M');
    expect(shop.told(txid).at(-1)).toMatchObject({ status: 'OK' });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import type { SiteProcessors } from '#payments/processors/routing/routing.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { newShop, pay, readStatus } from './shop.ts';
import { ledgerAt } from './support.ts';

useOperations();

let stripe: FakeStripe;
let nobody: string;
let shop: Tenant;
beforeAll(async () => {
  Object.assign(process.env, { ALLOW_SANDBOX: 'true', ALLOW_LOOPBACK_HTTP: 'true' });
  stripe = await startFakeStripe();
  nobody = await deadUrl();
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  await stripe[Symbol.asyncDispose]();
});
beforeEach(async () => {
  shop = await newShop();
});

type Route = Record<string, unknown>;
const account = (change: Record<string, string> = {}): Route => ({
  processor: 'stripe',
  credentials: { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret, base_url: stripe.url, ...change },
});
const sandbox: Route = { processor: 'sandbox' };

const route = async (...routes: Route[]) => {
  const { status, body } = await ask('processors/set-site-processors', {
    as: shop.as,
    params: { sid: shop.sid },
    body: { routes },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
};
const readProcessor = async (txid: number) =>
  fromTransactionItem((await getItem(keys.transaction(txid))) ?? {}).processor;

describe('a payment', () => {
  it('goes to the first route that takes it', async () => {
    await route({ ...account(), currencies: ['EUR'] }, { ...sandbox, max: '50' }, account());
    const [small, large, euro] = [
      await pay(shop, '10.00'),
      await pay(shop, '60.00'),
      await pay(shop, '10.00', { currency: 'EUR' }),
    ];
    expect(await Promise.all([small, large, euro].map(({ txid }) => readProcessor(txid)))).toEqual([
      'sandbox',
      'stripe',
      'stripe',
    ]);
  });

  it('moves on from a processor that cannot be reached', async () => {
    await route(account({ base_url: nobody }), account());
    const before = stripe.performed.pay;
    const result = await pay(shop, '10.00');
    expect(result).toMatchObject({ status: 'OK' });
    expect(stripe.performed.pay).toBe(before + 1);
    expect(await readStatus(shop, result.txid)).toMatchObject(result);
  });

  it('goes past a processor that does not take its currency, which is not even asked', async () => {
    await route(account(), sandbox);
    const before = stripe.performed.pay;
    const { txid, status } = await pay(shop, '10.00', { currency: 'CUP' });
    expect([status, await readProcessor(txid)]).toEqual(['OK', 'sandbox']);
    expect(stripe.performed.pay).toBe(before);
    await route(account());
    expect(await pay(shop, '10.00', { currency: 'CUP' })).toMatchObject({
      status: 'EXC',
      error_code: 'currency_not_supported',
    });
  });

  it('moves on from an account whose credentials are refused', async () => {
    await route(account({ secret_key: 'sk_test_somebody_else_0000000000' }), sandbox);
    const { txid, status } = await pay(shop, '10.00');
    expect([status, await readProcessor(txid)]).toEqual(['OK', 'sandbox']);
  });

  /** The first route's credentials are sealed with a key that is lost. */
  const loseKey = async () => {
    const key = keys.siteProcessors(shop.sid);
    const item = (await getItem(key)) as { processors: SiteProcessors };
    const [first, ...others] = item.processors.routes;
    const routes = [{ ...first, sealed: 'k1.of.another.key' }, ...others];
    await putItem({ ...item, processors: { ...item.processors, routes } });
  };

  it('passes such an account over where the payer has to be asked who they are, too', async () => {
    const always = { name: 'Always', conditions: { all: [{ fact: 'currency', operator: 'equal', value: 'USD' }] } };
    const rules = [{ ...always, effect: { decision: '3DS' } }];
    const added = await ask('datasources/add-fraud-template', {
      body: { name: 'Ask everybody', scorer: 'none', rules },
    });
    const { as, mid, rid, sid } = shop;
    const body = { ftid: (added.body as { id: number }).id };
    expect(await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body })).toMatchObject({
      status: 200,
    });
    await route(account(), sandbox);
    await loseKey();
    expect(await pay(shop, '10.00')).toMatchObject({ status: 'PEND', next_action: { type: 'redirect' } });
  });

  it('refunds nothing, and says so, at an account whose credentials can no longer be opened', async () => {
    await route(account());
    const { txid } = await pay(shop, '10.00');
    await loseKey();
    const refund = { parentTxid: txid, money: { minor: 1000n, currency: 'USD' }, dispute: null, by: 'test' };
    expect(await refundThroughLedger(refund)).toMatchObject({ status: 'EXC', error: { code: 'no_processor' } });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, refunded: 0n, inFlight: {} });
  });

  it('moves on from an account whose credentials can no longer be opened', async () => {
    await route(account(), sandbox);
    await loseKey();
    const { txid, status } = await pay(shop, '10.00');
    expect([status, await readProcessor(txid)]).toEqual(['OK', 'sandbox']);
  });

  it('does not carry a declined card from door to door', async () => {
    await route(account(), sandbox);
    const { txid, ...result } = await pay(shop, '10.00', { card_no: '4000000000000002' });
    expect(result).toMatchObject({ status: 'EXC', error_code: 'card_declined' });
    expect(await readProcessor(txid)).toBe('stripe');
  });

  it('stays where its answer was lost: the card may have been charged there', async () => {
    await route(account(), sandbox);
    stripe.fail('lost', /POST \/v1\/payment_intents$/);
    const { txid, status } = await pay(shop, '10.00');
    expect([status, await readProcessor(txid)]).toEqual(['PEND', 'stripe']);
  });

  it('fails for the last reason when no route is left', async () => {
    await route(account({ base_url: nobody }));
    expect(await pay(shop, '10.00')).toMatchObject({ status: 'EXC', error_code: 'processor_unavailable' });
    await route({ ...sandbox, currencies: ['EUR'] });
    expect(await pay(shop, '10.00')).toMatchObject({ status: 'EXC', error_code: 'no_processor' });
  });
});

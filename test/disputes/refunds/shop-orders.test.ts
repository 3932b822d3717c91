import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskWoo, askWooWith } from '#payments/orders/source/woocommerce-exchange-client.ts';
import { cancelWooSubscriptions, holdWooOrder } from '#payments/orders/source/woocommerce-shop-client.ts';
import { connectAuthorizeNet } from '#payments/processors/authorize-net/authorize-net-connected-client.ts';
import { connectHttp } from '#payments/processors/http/http-connected-client.ts';
import { connectPayPal } from '#payments/processors/paypal/paypal-connected-client.ts';
import { connectShopify } from '#payments/processors/shopify/shopify-connected-client.ts';
import { shopifyReferenceOf } from '#payments/processors/shopify/shopify-orders.ts';
import { type FakeAuthorizeNet, startFakeAuthorizeNet } from '#test/support/fake-authorize-net.ts';
import { type FakeMerchantService, startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { type FakePayPal, startFakePayPal } from '#test/support/fake-paypal.ts';
import { type FakeShopify, startFakeShopify } from '#test/support/fake-shopify.ts';
import { type FakeWooCommerce, startFakeWooCommerce } from '#test/support/fake-woocommerce.ts';

/** Orders of a dispute alert in their shops: what is not shipped yet is held, and subscriptions are ended. */

let woo: FakeWooCommerce;
let shopify: FakeShopify;
let service: FakeMerchantService;
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  [woo, shopify, service] = [await startFakeWooCommerce(), await startFakeShopify(), await startFakeMerchantService()];
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  for (const one of [woo, shopify, service]) await one[Symbol.asyncDispose]();
});

describe('an order at WooCommerce', () => {
  const ask: AskWoo = (...sent) =>
    askWooWith(woo.url, { consumer_key: woo.consumerKey, consumer_secret: woo.consumerSecret })(...sent);
  beforeEach(() => {
    woo.isReadOnly = false;
    woo.subscriptions = new Map();
  });
  const held = async (fields: object) => {
    const { id } = woo.order({ fields: { ...fields } });
    const number = String((fields as { number?: string }).number ?? id);
    return { number, first: await holdWooOrder(ask, number), status: woo.orders.get(id)?.fields['status'] };
  };

  it.each([
    ['processing', 'on-hold', { done: expect.stringContaining('on hold') }],
    ['pending', 'on-hold', { done: expect.stringContaining('on hold') }],
    ['on-hold', 'on-hold', { done: expect.stringContaining('on hold') }],
    ['completed', 'completed', { refused: expect.stringContaining('completed') }],
    ['refunded', 'refunded', { refused: expect.stringContaining('refunded') }],
    ['cancelled', 'cancelled', { refused: expect.stringContaining('cancelled') }],
  ])('that is %s becomes %s, also when it is asked for twice', async (status, after, said) => {
    const { number, first, status: now } = await held({ status });
    expect(first).toEqual(said);
    expect(now).toBe(after);
    expect(await holdWooOrder(ask, number)).toEqual(said);
  });

  it('is found by its number, where an extension lets that differ from its id', async () => {
    expect(await held({ status: 'processing', number: 'WEB-2026-17' })).toMatchObject({ status: 'on-hold' });
    woo.order({ fields: { number: 'WEB-2026-171' } });
    expect(await holdWooOrder(ask, 'WEB-2026-1')).toEqual({ refused: 'the shop has no such order' });
    const other = woo.order({ fields: { number: '5' } });
    expect(await holdWooOrder(ask, String(other.id))).toEqual({ refused: 'the shop has no such order' });
  });

  it.each([
    ['keys that may only read', () => (woo.isReadOnly = true), { refused: expect.stringContaining('write access') }],
    ['a shop that fails', () => woo.fail(500, /orders/, 1), { unknown: 'the shop answered 500' }],
  ])('is not held with %s, and the words say why', async (_, prepare, said) => {
    const { id } = woo.order();
    prepare();
    expect(await holdWooOrder(ask, String(id))).toEqual(said);
    expect(woo.orders.get(id)?.fields['status']).toBeUndefined();
  });

  it('has its subscriptions ended, whether it began them or renewed one', async () => {
    const [first, renewal] = [
      woo.order(),
      woo.order({ fields: { meta_data: [{ key: '_subscription_renewal', value: '71' }] } }),
    ];
    woo.subscriptions = new Map([
      [70, { parent: first.id, status: 'active' }],
      [71, { parent: 1, status: 'on-hold' }],
    ]);
    for (const _ of [1, 2])
      expect(await cancelWooSubscriptions(ask, String(first.id))).toEqual({ done: 'subscription 70 ended' });
    expect(woo.subscriptions.get(71)?.status).toBe('on-hold');
    expect(await cancelWooSubscriptions(ask, String(renewal.id))).toEqual({ done: 'subscription 71 ended' });
    expect([...woo.subscriptions.values()].map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await cancelWooSubscriptions(ask, String(woo.order().id))).toEqual({
      refused: 'the order is of no subscription',
    });
    woo.subscriptions = null;
    expect(await cancelWooSubscriptions(ask, String(first.id))).toEqual({
      refused: 'the shop has no WooCommerce Subscriptions',
    });
  });
});

describe('an order at Shopify', () => {
  const connectedWith = (client_secret: string) =>
    connectShopify({
      shop: 'my-shop.myshopify.com',
      client_id: shopify.clientId,
      client_secret,
      base_url: shopify.url,
    });
  const sold = (status?: string) => {
    const { id, order } = shopify.sell({ minor: 2500 });
    if (status) shopify.shipments.set(order, { status, holds: [] });
    return { order, reference: shopifyReferenceOf(id) };
  };

  it('is held once for an alert, however often that is asked for', async () => {
    const { order, reference } = sold();
    for (const alert of [17, 17, 18])
      expect(await connectedWith(shopify.clientSecret).holdOrder?.(reference, alert)).toMatchObject({
        held: expect.anything(),
      });
    expect(shopify.shipments.get(order)?.holds).toEqual(['fw-17', 'fw-18']);
  });

  it.each(['CLOSED', 'CANCELLED', 'IN_PROGRESS', 'INCOMPLETE'])('that is %s is not held', async (status) => {
    expect(await connectedWith(shopify.clientSecret).holdOrder?.(sold(status).reference, 1)).toEqual({
      refused: 'no part of it can be held',
    });
  });

  it('is not held by an app without the scope, nor is a contract of another app cancelled', async () => {
    const { order, reference } = sold();
    expect(await connectedWith(shopify.readOnlySecret).holdOrder?.(reference, 1)).toEqual({
      refused: expect.stringContaining('write_merchant_managed_fulfillment_orders'),
    });
    shopify.contracts.set(order, { status: 'ACTIVE', isOurs: false });
    expect(await connectedWith(shopify.clientSecret).cancelSubscription?.(reference, 'k')).toMatchObject({
      outcome: 'EXC',
      code: 'operation_not_supported',
    });
    expect(shopify.contracts.get(order)?.status).toBe('ACTIVE');
  });
});

describe('an order of the merchant’s own service', () => {
  const connected = () => connectHttp({ base_url: service.url, secret: service.secret });

  it.each([
    [null, 'held', { held: 'order held by your service' }],
    ['shipped', 'shipped', { refused: 'your service has shipped it' }],
  ] as const)('that is %s becomes %s', async (fate, after, said) => {
    const charge = service.charge({ minor: 100, fate });
    for (const _ of [1, 2]) expect(await connected().holdOrder?.(charge.reference, 5)).toEqual(said);
    expect(charge.fate).toBe(after);
  });

  it.each([
    ['knows no such charge', 0, { refused: 'your service knows no order of the charge' }],
    ['does not offer the call', 404, { refused: 'your service holds no orders' }],
    ['does not allow the call', 405, { refused: 'your service holds no orders' }],
    ['refuses the keys', 403, { refused: 'your service answered 403' }],
    ['fails', 500, { unknown: 'your service answered 500' }],
  ])('is not held by a service that %s', async (_, status, said) => {
    if (status > 0) service.fail(status, /hold-order/, 1);
    expect(await connected().holdOrder?.('ch-none', 5)).toEqual(said);
  });
});

describe('a subscription that has ended already', () => {
  let paypal: FakePayPal;
  let authorizeNet: FakeAuthorizeNet;
  beforeAll(async () => {
    [paypal, authorizeNet] = [await startFakePayPal(), await startFakeAuthorizeNet()];
  });
  afterAll(async () => {
    for (const one of [paypal, authorizeNet]) await one[Symbol.asyncDispose]();
  });

  it.each(['canceled', 'terminated'] as const)('counts as ended at Authorize.Net: %s', async (status) => {
    authorizeNet.subscriptions.set('77', status);
    const { id } = authorizeNet.charge({ minor: 100, subscription: '77' });
    const keys = { api_login_id: authorizeNet.apiLoginId, base_url: authorizeNet.url };
    const end = (transaction_key: string) =>
      connectAuthorizeNet({ ...keys, transaction_key }).cancelSubscription?.(id, 'k');
    expect(await end(authorizeNet.transactionKey)).toEqual({ outcome: 'OK', reference: '77' });
    expect(await end(authorizeNet.readOnlyKey)).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
  });

  it('does not count as ended where Authorize.Net does not know it', async () => {
    const { id } = authorizeNet.charge({ minor: 100, subscription: '78' });
    const { apiLoginId: api_login_id, transactionKey: transaction_key, url: base_url } = authorizeNet;
    const connected = connectAuthorizeNet({ api_login_id, transaction_key, base_url });
    expect(await connected.cancelSubscription?.(id, 'k')).toMatchObject({ outcome: 'EXC' });
  });

  it('counts as ended at PayPal, and a report that fails leaves it unknown', async () => {
    const { id } = paypal.capture({ minor: 100, subscription: 'I-GONE1' });
    const connected = connectPayPal({
      ...{ client_id: paypal.clientId, client_secret: paypal.clientSecret, webhook_id: paypal.webhookId },
      ...{ environment: 'test', base_url: paypal.url },
    });
    expect(await connected.cancelSubscription?.(id, 'k')).toEqual({ outcome: 'OK', reference: 'I-GONE1' });
    paypal.fail(500, /reporting/, 2);
    expect(await connected.cancelSubscription?.(id, 'k')).toMatchObject({ outcome: 'UNKNOWN' });
  });
});

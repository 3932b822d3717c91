import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { open } from '#core/kernel/crypto.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { connectionOfId, keysContext } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { newTenant, setAlert, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { type FakeCheckoutCom, startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import { type FakePayPal, startFakePayPal } from '#test/support/fake-paypal.ts';
import { type FakeShopify, startFakeShopify } from '#test/support/fake-shopify.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();

let [stripe, paypal, checkout, shopify]: [FakeStripe?, FakePayPal?, FakeCheckoutCom?, FakeShopify?] = [];
let tenant: Tenant;
beforeAll(() => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
});
beforeEach(async () => {
  [stripe, paypal] = [await startFakeStripe(), await startFakePayPal()];
  [checkout, shopify] = [await startFakeCheckoutCom(), await startFakeShopify()];
  tenant = await newTenant();
  await setAlert(tenant, {});
  return async () => {
    for (const one of [stripe, paypal, checkout, shopify]) await one?.[Symbol.asyncDispose]();
  };
});
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});

const connect = async (kind: string, credentials: object, id?: string): Promise<string> => {
  const connections = [{ kind, label: 'The shop', credentials, ...(id && { id }) }];
  const { status, body } = await ask('connections/set-connections', {
    ...{ as: tenant.as, params: { mid: tenant.mid }, body: { connections } },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { connections: [{ id: string }] }).connections[0].id;
};
const register = (id: string) =>
  ask('connections/register-webhook', { as: tenant.as, params: { mid: tenant.mid, id } });
const storedKeys = async (id: string): Promise<Record<string, string>> => {
  const sealed = connectionOfId(await readConnections(tenant.mid), id)?.sealed ?? '';
  return JSON.parse(open(await keyRing('encryption'), keysContext(tenant.mid, id), sealed));
};
const keysOfStripe = (secret_key = stripe?.secretKey) => ({ secret_key, base_url: stripe?.url });

describe("the webhook of a connection, registered by its processor's API", () => {
  it('is made at Stripe with the events that matter, and its secret is kept', async () => {
    const id = await connect('stripe', keysOfStripe());
    const { status, body } = await register(id);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, registered: true, problem: null } });
    const [endpoint] = stripe?.endpoints.list ?? [];
    expect(endpoint).toMatchObject({
      url: (body as { url: string }).url,
      secret: (await storedKeys(id))['webhook_secret'],
    });
    expect(endpoint?.events).toContain('charge.dispute.created');
    expect(JSON.stringify(body)).not.toContain(endpoint?.secret);
    expect(await storedKeys(id)).toMatchObject(keysOfStripe());
  });

  it('replaces the earlier one of the same address at Stripe, and leaves others alone', async () => {
    const id = await connect('stripe', keysOfStripe());
    stripe?.endpoints.create({ url: 'https://shop.example/hook', enabled_events: { 0: 'charge.refunded' } });
    await register(id);
    const [, before] = stripe?.endpoints.list ?? [];
    await register(id);
    const [other, own, ...more] = stripe?.endpoints.list ?? [];
    expect(other?.url).toBe('https://shop.example/hook');
    expect(own).toMatchObject({ url: before?.url, secret: (await storedKeys(id))['webhook_secret'] });
    expect(own?.id).not.toBe(before?.id);
    expect(more).toEqual([]);
  });

  it('keeps the earlier secret if Stripe refuses, does not answer or lacks the right', async () => {
    const id = await connect('stripe', { ...keysOfStripe(), webhook_secret: 'whsec_before123' });
    stripe?.fail(500, /POST \/v1\/webhook_endpoints/);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'unavailable' } });
    stripe?.fail('never', /POST \/v1\/webhook_endpoints/);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'unavailable' } });
    const reader = stripe?.restrictedKey('charges_read');
    await connect('stripe', { ...keysOfStripe(reader), webhook_secret: 'whsec_before123' }, id);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'credentials' } });
    expect(await storedKeys(id)).toMatchObject({ webhook_secret: 'whsec_before123' });
  });

  it('is found again at Stripe if the answer to making it was lost once', async () => {
    const id = await connect('stripe', keysOfStripe());
    stripe?.fail('lost', /POST \/v1\/webhook_endpoints/, 1);
    expect(await register(id)).toMatchObject({ body: { registered: true } });
    expect(stripe?.endpoints.list).toHaveLength(1);
    expect(stripe?.endpoints.secret).toBe((await storedKeys(id))['webhook_secret']);
  });

  it('is made once at PayPal, and its id is kept', async () => {
    const { clientId: client_id, clientSecret: client_secret, url: base_url, webhookId } = paypal ?? {};
    const id = await connect('paypal', { client_id, client_secret, base_url });
    for (let n = 0; n < 2; n += 1) expect(await register(id)).toMatchObject({ body: { registered: true } });
    expect(paypal?.webhooks).toHaveLength(1);
    expect(await storedKeys(id)).toMatchObject({ webhook_id: webhookId });
    await connect('paypal', { client_id, client_secret: 'EKfakeSecretOfNobody-0003', base_url }, id);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'credentials' } });
  });

  it('is a workflow at Checkout.com with a new key each time', async () => {
    const { secretKey: secret_key, readOnlyKey, url: base_url } = checkout ?? {};
    const id = await connect('checkout_com', { secret_key, prefix: '12345678', base_url });
    await register(id);
    const before = (await storedKeys(id))['webhook_key'];
    await register(id);
    const { webhook_key } = await storedKeys(id);
    expect(webhook_key).not.toBe(before);
    expect([...(checkout?.workflows.values() ?? [])]).toMatchObject([{ name: `Forewarn ${id}`, key: webhook_key }]);
    await connect('checkout_com', { secret_key: readOnlyKey, prefix: '12345678', base_url }, id);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'credentials' } });
  });

  it('is a subscription to each topic at Shopify', async () => {
    const { clientId: client_id, clientSecret: client_secret, url: base_url } = shopify ?? {};
    const id = await connect('shopify', { shop: 'my-shop.myshopify.com', client_id, client_secret, base_url });
    for (let n = 0; n < 2; n += 1) expect(await register(id)).toMatchObject({ body: { registered: true } });
    expect(shopify?.subscriptions.size).toBe(3);
    shopify?.fail(429, /mutation Subscribe/);
    expect(await register(id)).toMatchObject({ body: { registered: false, problem: 'unavailable' } });
  });

  it('is not offered by a processor without an API for it', async () => {
    const id = await connect('nmi', { security_key: '6457Thfj624V5r7WUwc5v6a68ZsdWXYZ' });
    expect(await register(id)).toMatchObject({ status: 200, body: { registered: false, problem: 'not_offered' } });
  });
});

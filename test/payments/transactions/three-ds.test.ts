import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { newShop, pay, readStatus } from './shop.ts';
import { paymentAt } from './support.ts';

/** Processors without a page for a payer; no real one is like that. */
const pageless = vi.hoisted(() => new Set<string>());
vi.mock(import('#payments/processors/ports/registry-client.ts'), async (original) => {
  const { loadProcessor } = await original();
  return {
    loadProcessor: async (route, context) => {
      const processor = await loadProcessor(route, context);
      const redirect = processor.capabilities.redirect && !pageless.has(processor.name);
      return { ...processor, capabilities: { ...processor.capabilities, redirect } };
    },
  };
});

useOperations();
const accounts = useAccounts();

let ftid: number;
let shop: Tenant;
beforeAll(async () => {
  const rules = [
    {
      name: 'Everybody',
      conditions: { all: [{ fact: 'currency', operator: 'equal', value: 'USD' }] },
      effect: { decision: '3DS' },
    },
  ];
  const { body } = await ask('datasources/add-fraud-template', { body: { name: 'Everybody', scorer: 'none', rules } });
  ftid = (body as { id: number }).id;
});
beforeEach(async () => {
  pageless.clear();
  shop = await newShop({ ftid });
});

const redirected = { status: 'PEND', next_action: { type: 'redirect' } };
const readProcessor = async (txid: number) => (await paymentAt(txid)).processor;

describe('a payment whose cardholder the fraud check wants authenticated', () => {
  it('is sent to the page of the sandbox', async () => {
    const { txid, ...result } = await pay(shop, '10.00');
    expect(result).toMatchObject(redirected);
    expect(await paymentAt(txid)).toMatchObject({ fraud: { decision: '3DS' }, status: 'PEND' });
  });

  it("is sent to the issuer's page by Stripe", async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const { txid, next_action, ...result } = await pay(shop, '10.00');
    expect({ ...result, next_action }).toMatchObject(redirected);
    accounts.stripe.authenticate(next_action?.url ?? '', 'approve');
    const intent = [...accounts.stripe.intents.values()].at(-1);
    await accounts.tell(shop, 'stripe', accounts.stripe.webhook({ id: intent?.id, metadata: intent?.metadata }));
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'OK' });
  });

  it("is sent to the issuer's page by Adyen", async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    expect(await pay(shop, '10.00')).toMatchObject(redirected);
  });

  it.each(['stripe', 'adyen'] as const)('is so by %s where an authentication of before had failed', async (name) => {
    await routeTo(shop, name === 'stripe' ? stripeRoute(accounts.stripe) : adyenRoute(accounts.adyen));
    const threeDSecure = { version: '2.2.0', eci: '07', cavv: 'AAABBBCCCDDD', dsTransID: 'd-1', transStatus: 'N' };
    expect(await pay(shop, '10.00', { threeDSecure })).toMatchObject(redirected);
  });

  it('is not where the merchant did it before', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const threeDSecure = { version: '2.2.0', eci: '05', cavv: 'AAABBBCCCDDD', dsTransID: 'd-1' };
    expect(await pay(shop, '10.00', { threeDSecure })).toMatchObject({ status: 'OK' });
  });

  it('passes over routes whose processor has no page for that, and fails where none is left', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe), { processor: 'sandbox' });
    pageless.add('stripe');
    const { txid, ...result } = await pay(shop, '10.00');
    expect([result, await readProcessor(txid)]).toMatchObject([redirected, 'sandbox']);
    pageless.add('sandbox');
    const refused = await pay(shop, '10.00');
    expect(refused).toMatchObject({ status: 'EXC', error_code: 'three_ds_required' });
    expect((await getItem(keys.ledger(refused.txid)))?.['inFlight']).toEqual({});
  });
});

it('a payment that the fraud check lets pass is not sent anywhere', async () => {
  const plain = await newShop();
  await routeTo(plain, stripeRoute(accounts.stripe));
  expect(await pay(plain, '10.00')).toMatchObject({ status: 'OK' });
});

import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { keys } from '../../functions/core/keys.ts';
import { getItem } from '../../functions/core/table.ts';
import { paymentOptions } from '../../functions/pricing/payment-options/operation.ts';
import { setSiteProcessors } from '../../functions/processors/set-site-processors/operation.ts';
import { siteProcessorsDetails } from '../../functions/processors/site-processors-details/operation.ts';
import { fromTransactionItem } from '../../functions/transactions/transaction-row.ts';
import type { Tenant } from '../merchants/tenant.ts';
import { ask, useOperations } from '../support/operations.ts';
import { useTable } from '../support/table.ts';
import { newShop, pay } from '../transactions/shop.ts';

/** One that nobody but this test has heard of: it is registered, declared and loaded, and nothing else is done for it. */
const sixth = vi.hoisted(() => ({ name: 'sixth_processor', charged: [] as { secret: string; minor: bigint }[] }));

vi.mock('../../functions/processors/registered.ts', async (original) => {
  const { processors } = await original<typeof import('../../functions/processors/registered.ts')>();
  const traits = { sendsWebhooks: false, tellsOfLapses: true, paysOut: false, namesAccount: false, connection: null };
  return { processors: [...processors, { name: sixth.name, ...traits }] };
});
vi.mock('../../functions/processors/declared.ts', async (original) => {
  const v = await import('valibot');
  const { lastFour, Secret } = await import('../../functions/processors/credential-fields.ts');
  const { defineProcessor } = await import('../../functions/processors/declaration.ts');
  const { declarations } = await original<typeof import('../../functions/processors/declared.ts')>();
  const added = defineProcessor({
    credentials: v.object({ token: Secret('must be a token of the sixth, six_…', /^six_\w{8,}$/) }),
    identity: ({ token }) => [token],
    shown: ({ token }) => ({ token: lastFour(token) }),
    currency: (code) => (code === 'USD' ? { exponent: 2, step: 1 } : undefined),
  });
  return { declarations: { ...declarations, [sixth.name]: added } };
});
vi.mock('../../functions/processors/processor-loaders-client.ts', async (original) => {
  const { processorLoaders } =
    await original<typeof import('../../functions/processors/processor-loaders-client.ts')>();
  const { open } = await import('../../functions/core/crypto.ts');
  const { credentialsContext } = await import('../../functions/processors/routing.ts');
  const load: typeof processorLoaders.sandbox = async (route, context) => {
    const { token } = JSON.parse(open(context.ring, credentialsContext(context.sid, route.id), route.sealed ?? ''));
    const inner = await processorLoaders.sandbox(route, context);
    return {
      ...inner,
      pay: (command) => {
        sixth.charged.push({ secret: token, minor: command.money.minor });
        return inner.pay(command);
      },
    };
  };
  return { processorLoaders: { ...processorLoaders, [sixth.name]: load } };
});

useTable();
useOperations();
beforeAll(() => void Object.assign(process.env, { ALLOW_SANDBOX: 'true' }));

const token = 'six_theTokenOfThisShop';
let shop: Tenant;
beforeEach(async () => {
  sixth.charged.length = 0;
  shop = await newShop();
});
const route = (...routes: object[]) =>
  ask(setSiteProcessors, { as: shop.as, params: { sid: shop.sid }, body: { routes } });

it('checks the credentials of a processor by its declaration, and shows of them what that says', async () => {
  expect(await route({ processor: sixth.name, credentials: { token: 'five_wrongToken' } })).toMatchObject({
    status: 400,
    body: { details: 'routes.0.credentials.token: must be a token of the sixth, six_…' },
  });
  expect((await route({ processor: sixth.name, credentials: { token } })).status).toBe(200);
  const { body } = await ask(siteProcessorsDetails, { as: shop.as, params: { sid: shop.sid } });
  expect(body).toMatchObject({ routes: [{ processor: sixth.name, credentials: { token: '…Shop' } }] });
});

it('offers the currencies that its declaration takes', async () => {
  expect((await route({ processor: sixth.name, credentials: { token } })).status).toBe(200);
  const offered = async (currency: string) => {
    const sent = { params: { id: shop.sid }, body: { rcode: shop.rcode, currency } };
    const { status, body } = await ask(paymentOptions, sent);
    expect(status).toBe(200);
    return JSON.stringify(body);
  };
  expect(await offered('USD')).toContain('Pay by Visa card in USD');
  expect(await offered('EUR')).toBe('[]');
});

it('charges the cards that are routed to it, with its credentials', async () => {
  const routed = await route({ processor: sixth.name, credentials: { token }, max: '50' }, { processor: 'sandbox' });
  expect(routed.status).toBe(200);
  const chargedAt = async (amount: string) => {
    const { txid, status } = await pay(shop, amount);
    expect(status).toBe('OK');
    return fromTransactionItem((await getItem(keys.transaction(txid))) ?? {}).processor;
  };
  expect(await chargedAt('10.00')).toBe(sixth.name);
  expect(await chargedAt('60.00')).toBe('sandbox');
  expect(sixth.charged).toEqual([{ secret: token, minor: 1000n }]);
});

import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { CurrencyOf } from '#payments/processors/amounts.ts';
import type { Account, WebhookCall, WebhookOf } from '#payments/processors/ports/account.ts';
import type { ChargeCandidate, ConnectedProcessor } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDeclaration, ProcessorTraits } from '#payments/processors/ports/declaration.ts';
import type { DisputeAnswer } from '#payments/processors/ports/dispute.ts';
import type { ProcessorResult } from '#payments/processors/ports/processor.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { fakeProcessor, ledgerAt, paymentAt } from '#test/payments/transactions/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { describeLife } from './life.ts';

/** A processor that only this test knows: it is in the lists that `npm run fix` writes, and nothing else is done for it. */
const sixth = vi.hoisted(() => ({
  name: 'sixth_processor',
  charged: [] as { secret: string; minor: bigint }[],
  /** The secret with which it signs webhooks: the token. */
  isSigned: ({ open }: Account, { headers }: WebhookCall) => headers['x-six-token'] === Object(open('sandbox')).token,
  /** Charges that were taken there by others, by their references, and what was given back of them. */
  charges: new Map<string, { refunded: bigint; key: string | null }>(),
  traits: {
    ...{ name: 'sixth_processor', takesPayments: true, sendsWebhooks: true, tellsOfLapses: true, capturesLater: true },
    ...{ paysOut: false, namesAccount: false },
    connection: { place: 7, listsDisputes: false, isAtMerchant: false },
  } satisfies ProcessorTraits,
}));

vi.mock('#payments/processors/registered/registered.ts', async (original) => {
  const { processors } = await original<typeof import('#payments/processors/registered/registered.ts')>();
  return { processors: [...processors, sixth.traits] };
});
vi.mock('#payments/processors/registered/processor-declarations.ts', async (original) => {
  const v = await import('valibot');
  const { lastFour, Secret } = await import('#payments/processors/credentials/credential-fields.ts');
  const { declarations } = await original<typeof import('#payments/processors/registered/processor-declarations.ts')>();
  const credentials = v.object({ token: Secret('must be a token of the sixth, six_…', /^six_\w{8,}$/) });
  const added: Pick<ProcessorDeclaration, 'credentials' | 'connectionKeys' | 'identity' | 'toDto'> = {
    credentials,
    connectionKeys: credentials,
    identity: ({ token }) => [token],
    toDto: ({ token }) => ({ token: lastFour(token) }),
  };
  return { declarations: { ...declarations, [sixth.name]: added } };
});
vi.mock('#payments/processors/registered/registered-currencies.ts', async (original) => {
  const { processorCurrencies: currencies } =
    await original<typeof import('#payments/processors/registered/registered-currencies.ts')>();
  const added: CurrencyOf = (code) => (code === 'USD' ? { exponent: 2, step: 1 } : undefined);
  return { processorCurrencies: { ...currencies, [sixth.name]: added } };
});
vi.mock('#payments/processors/registered/registered-processors-client.ts', async (original) => {
  const { processorLoaders } =
    await original<typeof import('#payments/processors/registered/registered-processors-client.ts')>();
  const { open } = await import('#core/kernel/crypto.ts');
  const { credentialsContext } = await import('#payments/processors/routing/routing.ts');
  const load: (typeof processorLoaders)['sandbox'] = async () => {
    const sandbox = await processorLoaders.sandbox();
    return (route, context) => {
      const { token } = JSON.parse(open(context.ring, credentialsContext(context.sid, route.id), route.sealed ?? ''));
      const inner = sandbox(route, context);
      return {
        ...inner,
        pay: (command) => {
          sixth.charged.push({ secret: token, minor: command.money.minor });
          return inner.pay(command);
        },
      };
    };
  };
  return { processorLoaders: { ...processorLoaders, [sixth.name]: load } };
});

/** A webhook names a payment, and perhaps a dispute of it. */
const readSixth = vi.hoisted(
  (): WebhookOf => (account, call) => {
    if (!sixth.isSigned(account, call)) return undefined;
    const { payment, dispute } = JSON.parse(call.rawBody);
    return [{ id: `${payment} ${dispute}`, txid: null, references: [payment], ...(dispute && { dispute }) }];
  },
);
vi.mock('#payments/processors/registered/registered-site-webhooks-client.ts', async (original) => {
  const { siteWebhooks } =
    await original<typeof import('#payments/processors/registered/registered-site-webhooks-client.ts')>();
  return { siteWebhooks: { ...siteWebhooks, [sixth.name]: readSixth } };
});
vi.mock('#payments/processors/registered/registered-connection-webhooks-client.ts', async (original) => {
  const { connectionWebhooks } =
    await original<typeof import('#payments/processors/registered/registered-connection-webhooks-client.ts')>();
  return { connectionWebhooks: { ...connectionWebhooks, [sixth.name]: readSixth } };
});
vi.mock('#payments/processors/registered/registered-disputes-client.ts', async (original) => {
  const { disputeLoaders } =
    await original<typeof import('#payments/processors/registered/registered-disputes-client.ts')>();
  const { nowIso } = await import('#core/kernel/clock.ts');
  const look = async (reference: string): Promise<DisputeAnswer> => ({
    found: {
      ...{ reference, payments: [reference.replace('dispute of ', '')], stage: 'chargeback', status: 'open' },
      ...{ isTaken: true, money: { minor: 1999n, currency: 'USD' }, reasonCode: '10.4', network: 'visa' },
      ...{ dueBy: null, openedAt: nowIso() },
    },
  });
  return { disputeLoaders: { ...disputeLoaders, [sixth.name]: async () => () => ({ look }) } };
});
vi.mock('#payments/processors/registered/registered-connected-processors-client.ts', async (original) => {
  const { connectedProcessorLoaders } =
    await original<typeof import('#payments/processors/registered/registered-connected-processors-client.ts')>();
  const { nowIso } = await import('#core/kernel/clock.ts');
  const candidateOf = (reference: string): ChargeCandidate => ({
    ...{ reference, secondReference: '', type: 'sale', date: nowIso(), money: { minor: 1999n, currency: 'USD' } },
    ...{ first6: '411111', last4: '1111', authCode: null, arn: null, captured: 1999n },
    refunded: sixth.charges.get(reference)?.refunded ?? 0n,
    ...{ isChargedBack: false, isSettled: true, isUnclear: false, subscription: null, descriptor: 'SHOP' },
  });
  const outcomeOf = (reference: string, key: string): ProcessorResult | { outcome: 'NOT_FOUND' } =>
    sixth.charges.get(reference)?.key === key
      ? { outcome: 'OK', reference: `refund of ${reference}` }
      : { outcome: 'NOT_FOUND' };
  const connected: Omit<ConnectedProcessor, 'kind'> = {
    find: async () => ({ candidates: [...sixth.charges.keys()].map(candidateOf), isWhole: true }),
    look: async (reference) => (sixth.charges.has(reference) ? candidateOf(reference) : null),
    refund: async ({ reference, money, key }) => {
      sixth.charges.set(reference, { refunded: money.minor, key });
      return { outcome: 'OK', reference: `refund of ${reference}` };
    },
    refundState: async ({ reference, key }) => outcomeOf(reference, key),
    check: async () => ({ isWorking: true }),
  };
  return {
    connectedProcessorLoaders: {
      ...connectedProcessorLoaders,
      [sixth.name]: async () => () => ({ ...connected, kind: sixth.name }),
    },
  };
});

useOperations();
const accounts = useAccounts();
beforeAll(() => void Object.assign(process.env, { ALLOW_SANDBOX: 'true' }));

const token = 'six_theTokenOfThisShop';
let shop: Tenant;
beforeEach(async () => {
  sixth.charged.length = 0;
  shop = await newShop();
});
const route = (...routes: object[]) =>
  ask('processors/set-site-processors', { as: shop.as, params: { sid: shop.sid }, body: { routes } });

it('checks the credentials of a processor by its declaration, and shows of them what that says', async () => {
  expect(await route({ processor: sixth.name, credentials: { token: 'five_wrongToken' } })).toMatchObject({
    status: 400,
    body: { details: 'routes.0.credentials.token: must be a token of the sixth, six_…' },
  });
  expect((await route({ processor: sixth.name, credentials: { token } })).status).toBe(200);
  const { body } = await ask('processors/site-processors-details', { as: shop.as, params: { sid: shop.sid } });
  expect(body).toMatchObject({ routes: [{ processor: sixth.name, credentials: { token: '…Shop' } }] });
});

it('offers the currencies that its declaration takes', async () => {
  expect((await route({ processor: sixth.name, credentials: { token } })).status).toBe(200);
  const offered = async (currency: string) => {
    const sent = { params: { id: shop.sid }, body: { rcode: shop.rcode, currency } };
    const { status, body } = await ask('pricing/payment-options', sent);
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

it('undoes a payment whose capture has failed since, as its declaration says that it captures afterwards', async () => {
  expect((await route({ processor: sixth.name, credentials: { token } })).status).toBe(200);
  const { txid } = await pay(shop, '10.00');
  const query = async () => ({ outcome: 'EXC', code: 'capture_failed', reference: null }) as const;
  await settle({ txid, told: true }, { processorFor: async () => fakeProcessor({ query }) });
  expect(await paymentAt(txid)).toMatchObject({ status: 'EXC', error: { code: 'capture_failed' } });
  expect(await ledgerAt(txid)).toMatchObject({ captured: 0n });
});

describeLife(
  sixth.traits,
  async () => {
    let charges = 0;
    sixth.charges.clear();
    const told = (news: object) => ({ headers: { 'x-six-token': token }, rawBody: JSON.stringify(news) });
    return {
      credentials: { token },
      connectionKeys: { token },
      webhook: ({ reference }) => told({ payment: reference }),
      dispute: (reference) => [told({ payment: reference, dispute: `dispute of ${reference}` })],
      charge: () => {
        charges += 1;
        sixth.charges.set(`charge ${charges}`, { refunded: 0n, key: null });
        return `charge ${charges}`;
      },
    };
  },
  accounts,
);

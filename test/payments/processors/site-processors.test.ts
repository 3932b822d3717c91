import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '#core/kernel/crypto.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { openCredentials } from '#payments/processors/credentials/sealed-credentials.ts';
import { credentialsContext, routeOfId } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem, toSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
beforeAll(() => void Object.assign(process.env, { ALLOW_SANDBOX: 'true', ALLOW_LOOPBACK_HTTP: 'true' }));
afterAll(() => {
  for (const name of ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP']) delete process.env[name];
});

const stripe = { secret_key: 'sk_test_51NsecretsecretABCD', webhook_secret: 'whsec_aWebhookSecret' };
const otherStripe = { secret_key: 'sk_live_99NothernothersWXYZ', webhook_secret: 'whsec_anotherSecret' };
const adyen = {
  api_key: 'AQEyhmfxLIzNbxREw0m/n3Q5qf3VaY9UCJ-secret+KEY=',
  merchant_account: 'ShopECOM',
  hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  environment: 'test',
};

const nmi = { security_key: '6457Thfj624V5r7WUwc5v6a68ZsdABCD', webhook_key: 'aSigningKey', environment: 'test' };
const braintree = {
  merchant_id: 'ryqy4yyw7m5bf92h',
  public_key: 'ymtqgy8773zq2fw3',
  private_key: '7dd7253c4c53d675f15esecretsecret',
  merchant_accounts: { USD: 'shop_usd', EUR: 'shop_eur' },
};

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  const { mid, rid, sid, as } = tenant;
  await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: {} });
});

type Route = { id: string; processor: string; credentials?: Record<string, string> };
const set = (routes: unknown, as = tenant.as) =>
  ask('processors/set-site-processors', { as, params: { sid: tenant.sid }, body: { routes } });
const setRoutes = async (...routes: object[]): Promise<Route[]> => {
  const { status, body } = await set(routes);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok', sid: tenant.sid } });
  return (body as { routes: Route[] }).routes;
};
const details = async () =>
  (await ask('processors/site-processors-details', { as: tenant.as, params: { sid: tenant.sid } })).body as {
    routes: Route[];
    retired: Route[];
    uses_sandbox: boolean;
  };
const refusedWith = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  expect(status).toBe(400);
  return String((body as { details: string }).details);
};
const kept = async () => fromSiteProcessorsItem(await getItem(keys.siteProcessors(tenant.sid)));
const openKept = async (id = '') => {
  const route = routeOfId(await kept(), id);
  if (!route) throw new Error('no route');
  return openCredentials('stripe', route, { sid: tenant.sid, ring: await keyRing('encryption') });
};

describe('the processors of a site', () => {
  it('are shown in order, without their credentials', async () => {
    const routes = await setRoutes(
      { processor: 'stripe', credentials: stripe, schemes: ['VISA'], currencies: ['USD'], min: '1.50', max: 100 },
      { processor: 'adyen', credentials: adyen },
      { processor: 'sandbox', schemes: [], currencies: null },
    );
    const all = { schemes: null, currencies: null, min: null, max: null };
    expect(routes).toEqual([
      {
        id: expect.stringMatching(/^rt_/),
        processor: 'stripe',
        schemes: ['VISA'],
        currencies: ['USD'],
        min: '1.50',
        max: '100',
      },
      { id: expect.stringMatching(/^rt_/), processor: 'adyen', ...all },
      { id: 'sandbox', processor: 'sandbox', ...all },
    ]);
    expect((await details()).routes.map(({ credentials }) => credentials)).toEqual([
      { secret_key: '…ABCD', environment: 'test' },
      { api_key: '…KEY=', merchant_account: 'ShopECOM', environment: 'test' },
      {},
    ]);
  });

  it('of NMI and Braintree are shown by what tells whose they are', async () => {
    await setRoutes({ processor: 'nmi', credentials: nmi }, { processor: 'braintree', credentials: braintree });
    expect((await details()).routes.map(({ credentials }) => credentials)).toEqual([
      { security_key: '…ABCD', environment: 'test' },
      { public_key: braintree.public_key, merchant_id: braintree.merchant_id, environment: 'live' },
    ]);
    const row = JSON.stringify(await getItem(keys.siteProcessors(tenant.sid)));
    for (const secret of [nmi.security_key, nmi.webhook_key, braintree.private_key]) expect(row).not.toContain(secret);
  });

  it('lie encrypted in the table, and open for their own site and account only', async () => {
    const [first] = await setRoutes({ processor: 'stripe', credentials: { ...stripe, unasked: 'x' } });
    const row = JSON.stringify(await getItem(keys.siteProcessors(tenant.sid)));
    for (const secret of Object.values(stripe)) expect(row).not.toContain(secret);
    expect(await openKept(first?.id)).toEqual(stripe);
    const route = routeOfId(await kept(), first?.id ?? '');
    const ring = await keyRing('encryption');
    if (!route) throw new Error('no route');
    expect(() => openCredentials('stripe', route, { sid: tenant.sid + 1, ring })).toThrow();
    expect(() => openCredentials('stripe', { ...route, id: 'rt_other' }, { sid: tenant.sid, ring })).toThrow();
  });

  it('keep an account its id; those that are left out are kept for refunds', async () => {
    const [first] = await setRoutes({ processor: 'adyen', credentials: adyen });
    const [other, again] = await setRoutes(
      { processor: 'stripe', credentials: stripe },
      { processor: 'adyen', credentials: { ...adyen, api_key: 'rotatedKey1' } },
    );
    expect(again?.id).toBe(first?.id);
    await setRoutes({ processor: 'stripe', credentials: otherStripe });
    const { routes, retired } = await details();
    expect(routes).toHaveLength(1);
    expect(retired.map(({ id }) => id).sort()).toEqual([first?.id, other?.id].sort());
    expect(retired.find(({ processor }) => processor === 'adyen')?.credentials).toMatchObject({ api_key: '…Key1' });
    const [back] = await setRoutes({ processor: 'stripe', credentials: stripe });
    expect(back?.id).toBe(other?.id);
    expect((await details()).retired.map(({ id }) => id)).not.toContain(back?.id);
  });

  it('take new credentials for an account by its id, and keep the old ones without any', async () => {
    const [first] = await setRoutes({ processor: 'stripe', credentials: stripe });
    const [second] = await setRoutes({ id: first?.id, processor: 'stripe', currencies: ['EUR'] });
    expect([second?.id, await openKept(first?.id)]).toEqual([first?.id, stripe]);
    const [third] = await setRoutes({ id: first?.id, processor: 'stripe', credentials: otherStripe });
    expect([third?.id, await openKept(first?.id)]).toEqual([first?.id, otherStripe]);
    expect((await details()).retired).toEqual([]);
  });

  it('may route to one account twice', async () => {
    const [one, other] = await setRoutes(
      { processor: 'stripe', credentials: stripe, currencies: ['EUR'] },
      { processor: 'stripe', credentials: stripe, schemes: ['AMEX'] },
    );
    expect(one?.id).toBe(other?.id);
  });

  it('may be none: then the sandbox is used where it is allowed', async () => {
    expect(await details()).toEqual({ sid: tenant.sid, routes: [], retired: [], uses_sandbox: true });
    await setRoutes({ processor: 'stripe', credentials: stripe });
    expect((await details()).uses_sandbox).toBe(false);
    await setRoutes();
    expect((await details()).uses_sandbox).toBe(true);
    process.env['ALLOW_SANDBOX'] = 'false';
    expect((await details()).uses_sandbox).toBe(false);
    expect(await refusedWith(set([{ processor: 'sandbox' }]))).toContain(
      'routes.0.processor: the sandbox is not offered',
    );
    process.env['ALLOW_SANDBOX'] = 'true';
  });
});

describe('what is wrong', () => {
  it.each([
    ['no list', 'x', 'routes: must be a list of routes'],
    [
      'another processor',
      [{ processor: 'paypal' }],
      'routes.0.processor: must be one of sandbox, stripe, adyen, nmi, braintree',
    ],
    ['no credentials', [{ processor: 'stripe' }], 'routes.0.credentials: is required'],
    ['half of them', [{ processor: 'stripe', credentials: { secret_key: stripe.secret_key } }], 'webhook_secret: is'],
    [
      'a publishable key',
      [{ processor: 'stripe', credentials: { ...stripe, secret_key: 'pk_live_hush' } }],
      'credentials.secret_key: must be a secret',
    ],
    [
      'a live account without its prefix',
      [{ processor: 'adyen', credentials: { ...adyen, environment: 'live' } }],
      'credentials.live_url_prefix: must be given, unless environment is test',
    ],
    [
      'an HMAC key that is none',
      [{ processor: 'adyen', credentials: { ...adyen, hmac_key: 'hush' } }],
      'credentials.hmac_key: must be the HMAC key',
    ],
    [
      'a key of NMI that is none',
      [{ processor: 'nmi', credentials: { ...nmi, security_key: 'hush' } }],
      'credentials.security_key: must be a security key of NMI',
    ],
    [
      'no merchant account of Braintree',
      [{ processor: 'braintree', credentials: { ...braintree, merchant_accounts: {} } }],
      'credentials.merchant_accounts: must name the merchant account of each currency',
    ],
    [
      'an environment that there is not',
      [{ processor: 'braintree', credentials: { ...braintree, environment: 'hush' } }],
      'credentials.environment: must be test or live',
    ],
    [
      'an address elsewhere',
      [{ processor: 'stripe', credentials: { ...stripe, base_url: 'https://hush.example.com' } }],
      'credentials.base_url: is only for local tests',
    ],
    ['an account of nobody', [{ id: 'rt_nobody', processor: 'stripe' }], 'routes.0.id: the site has no such account'],
    [
      'limits the wrong way round',
      [{ processor: 'sandbox' }, { processor: 'sandbox', min: '10', max: '9.99' }],
      'routes.1.max: must not be below min',
    ],
    ['a limit with a sign', [{ processor: 'sandbox', min: '-1' }], 'routes.0.min: must be a decimal'],
    ['no currency', [{ processor: 'sandbox', currencies: ['XYZ'] }], 'routes.0.currencies.0: must be a currency code'],
    ['no scheme', [{ processor: 'sandbox', schemes: ['visa'] }], 'routes.0.schemes.0: must be one of VISA'],
    ['too many', Array.from({ length: 21 }, () => ({ processor: 'sandbox' })), 'routes: must have at most 20 routes'],
  ])('%s is named, and never repeated', async (_, routes, words) => {
    const said = await refusedWith(set(routes));
    expect(said).toContain(words);
    expect(said).not.toMatch(/hush|secretsecret/);
    expect((await kept()).version).toBe(0);
  });

  it("an Adyen account's credentials are not replaced by another's", async () => {
    const [first] = await setRoutes({ processor: 'adyen', credentials: adyen });
    const other = { id: first?.id, processor: 'adyen', credentials: { ...adyen, merchant_account: 'OtherECOM' } };
    expect(await refusedWith(set([other]))).toContain('routes.0.credentials: belong to another account');
  });

  it("a Braintree merchant's neither, but another API user's of the same are", async () => {
    const [first] = await setRoutes({ processor: 'braintree', credentials: braintree });
    const route = (change: object) => ({
      id: first?.id,
      processor: 'braintree',
      credentials: { ...braintree, ...change },
    });
    expect(await refusedWith(set([route({ merchant_id: 'another1merchant' })]))).toContain('belong to another account');
    const [same] = await setRoutes({ ...route({ public_key: 'anotherpublickey' }), id: undefined });
    expect(same?.id).toBe(first?.id);
  });

  it('a stand-in for a processor is taken on this machine only where that is allowed', async () => {
    const local = { processor: 'stripe', credentials: { ...stripe, base_url: 'http://127.0.0.1:4010' } };
    expect((await set([local])).status).toBe(200);
    process.env['ALLOW_LOOPBACK_HTTP'] = 'false';
    expect(await refusedWith(set([local]))).toContain('base_url');
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  });
});

describe('who and when', () => {
  it("others' sites are answered like those that do not exist", async () => {
    const otherTenant = await newTenant();
    for (const operation of ['processors/set-site-processors', 'processors/site-processors-details']) {
      const at = (sid: number) => ask(operation, { as: otherTenant.as, params: { sid }, body: { routes: [] } });
      const theirs = await at(tenant.sid);
      expect(theirs).toMatchObject({ status: 404, body: { msg: 'No such site' } });
      expect(theirs).toEqual(await at(999_999));
    }
  });

  it('only a payment site has processors', async () => {
    const { mid, rid, sid, as } = await newTenant();
    const both = async () => {
      for (const operation of ['processors/set-site-processors', 'processors/site-processors-details']) {
        const answer = await ask(operation, { as, params: { sid }, body: { routes: [] } });
        expect(answer).toMatchObject({ status: 409, body: { msg: 'The site is not a payment site' } });
      }
    };
    await both();
    await ask('merchants/set-alert-settings', { as, params: { mid, rid, sid }, body: {} });
    await both();
  });

  it('of changes at once that have read the same, one is made and the others are refused', async () => {
    const seen = new Set<number>();
    // The faster one differs from time to time: repeated until two have met.
    for (let round = 0; round < 50 && !seen.has(409); round += 1) {
      const before = (await kept()).version;
      const answers = await Promise.all(
        [stripe, otherStripe, stripe].map((credentials) => set([{ processor: 'stripe', credentials }])),
      );
      for (const { status } of answers) seen.add(status);
      const after = await kept();
      expect(after.version - before).toBe(answers.filter(({ status }) => status === 200).length);
      expect(after.routes).toHaveLength(1);
    }
    expect([...seen].sort()).toEqual([200, 409]);
  });

  it('an account whose key ring has changed still opens', async () => {
    const [first] = await setRoutes({ processor: 'stripe', credentials: stripe });
    const before = await kept();
    const ring = { current: 'k0', keys: { k0: 'an older secret', ...(await keyRing('encryption')).keys } };
    const sealed = seal(ring, credentialsContext(tenant.sid, first?.id ?? ''), JSON.stringify(stripe));
    const routes = before.routes.map((route) => ({ ...route, sealed }));
    await putItem(toSiteProcessorsItem(tenant.sid, { ...before, routes }));
    const route = routeOfId(await kept(), first?.id ?? '');
    if (!route) throw new Error('no route');
    expect(openCredentials('stripe', route, { sid: tenant.sid, ring: { ...ring, current: 'k1' } })).toEqual(stripe);
  });
});

it.each(['processors/set-site-processors', 'processors/site-processors-details'])(
  '%s declares what it does',
  expectDeclared,
);

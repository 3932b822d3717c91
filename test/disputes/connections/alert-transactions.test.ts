import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { fresh, makeRcode, seedClaims, seedSite, take } from '#test/disputes/alerts/seed.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();
beforeAll(() => void Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true' }));
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});
const at = '2026-05-02T22:30:00Z';
beforeEach(() => setClock(() => Date.parse(at)));
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
let descriptor: string;
beforeEach(async () => {
  shop = await newShop();
  site = await seedSite({ mid: shop.mid, alert: settings() });
  descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
});

/** An alert about a card of the sandbox's, as provider_a sends it. */
const receive = async (change: Record<string, unknown> = {}): Promise<number> => {
  const sent = {
    ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: descriptor, arn: '', authCode: '' },
    ...{ cardBin: '411111', cardLast4: '1111', amount: { value: '19.99', currencyCode: 'USD' } },
    transactionTimestamp: '2026-05-02T01:00:00Z',
    ...change,
  };
  return (await take('provider_a', sent)).alert_id;
};
const connect = async (...connections: object[]): Promise<string[]> => {
  const { status, body } = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections },
  });
  expect(status).toBe(200);
  return (body as { connections: { id: string }[] }).connections.map(({ id }) => id);
};
type Found = {
  match: string;
  transactions: { reference: string; kind: string; matches: boolean; txid: number | null; connection: string | null }[];
  unasked: { connection: string; problem: string; msg: string }[];
};
const search = async (alertId: number, as: As = shop.as): Promise<Found> => {
  const { status, body } = await ask('connections/alert-transactions', { as, params: { alert_id: alertId } });
  expect(status).toBe(200);
  return body as Found;
};
const sandbox = { kind: 'sandbox', label: 'Trial' };

describe('looking for the transaction of an alert', () => {
  it("finds the one at a merchant's own processor, with what is left of it", async () => {
    const [id] = await connect(sandbox);
    const alertId = await receive({ authCode: '100206', amount: { value: '80.00', currencyCode: 'USD' } });
    const found = await search(alertId);
    expect(found).toMatchObject({ alert_id: alertId, match: 'one', unasked: [] });
    expect(found.transactions.filter(({ matches }) => matches)).toEqual([
      {
        ...{ connection: id, kind: 'sandbox', txid: null, reference: 'sbc_20260502_06', matches: true },
        ...{ reference2: 'order-20260502_06', type: 'sale', date: '2026-05-02T05:00:00.000Z', amount: '80.00' },
        ...{ currency: 'USD', refunded: '30.00', refundable: '50.00', charged_back: false, settled: true },
        refunded_by_network: false,
        evidence: {
          score: 85,
          traits: ['auth_code', 'card', 'amount', 'date'].map((trait) => ({ trait, verdict: 'agrees' })),
        },
      },
    ]);
  });

  it('says that several are possible where nothing tells them apart', async () => {
    await connect(sandbox);
    const { match, transactions } = await search(await receive({ amount: { value: '39.00', currencyCode: 'USD' } }));
    expect(match).toBe('many');
    const possible = transactions.filter(({ matches }) => matches).map(({ reference }) => reference);
    expect(possible).toEqual(expect.arrayContaining(['sbc_20260502_03', 'sbc_20260502_04']));
    expect(possible.length).toBeGreaterThan(2);
  });

  it('finds none of another card', async () => {
    await connect(sandbox);
    expect(await search(await receive({ cardLast4: '9999' }))).toMatchObject({ match: 'none', transactions: [] });
  });

  it('finds a payment that was taken here, and takes it for one with what stands at the processor', async () => {
    const { txid } = await pay(shop, '19.99');
    const change = { cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() };
    const alertId = await receive(change);
    expect(await search(alertId)).toMatchObject({
      match: 'one',
      transactions: [{ connection: null, kind: 'forewarn', txid, amount: '19.99', refundable: '19.99', matches: true }],
    });
  });

  it('says which connection could not be asked, and is sure of nothing then', async () => {
    const { txid } = await pay(shop, '19.99');
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: 'rk_test_ofSomebodyElse', base_url: stripe.url };
    const [id] = await connect({ kind: 'stripe', label: 'The shop', credentials }, sandbox);
    const change = { cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() };
    const found = await search(await receive(change));
    expect(found).toMatchObject({
      match: 'many',
      unasked: [{ connection: id, kind: 'stripe', label: 'The shop', problem: 'credentials', msg: expect.any(String) }],
    });
    expect(found.transactions.filter(({ matches }) => matches)).toMatchObject([{ txid }]);
    expect(JSON.stringify(found)).not.toContain('ofSomebodyElse');
  });

  it('asks neither a connection of other sites, nor one that is switched off', async () => {
    const other = await seedSite({ mid: shop.mid, alert: settings() });
    await connect({ ...sandbox, sids: [other.sid] }, { ...sandbox, active: false });
    const alertId = await receive({ authCode: '100206', amount: { value: '80.00', currencyCode: 'USD' } });
    expect(await search(alertId)).toMatchObject({ match: 'none', transactions: [] });
    await connect({ ...sandbox, sids: [other.sid, site.sid] });
    expect(await search(alertId)).toMatchObject({ match: 'one' });
  });

  it('looks for a test alert at the sandbox alone, and names the connections that it did not ask', async () => {
    const [stripe] = await connect(
      {
        kind: 'stripe',
        label: 'x',
        credentials: { secret_key: 'rk_test_nobodyAnswers', base_url: 'http://127.0.0.1:9' },
      },
      sandbox,
    );
    const body = {
      ...{ alert_type: 'DISPUTE', currency: 'USD', amount: '80.00', descriptor, auth_code: '100206' },
      ...{ card: '411111xxxxxx1111', transaction_timestamp: '2026-05-02T06:00:00Z' },
    };
    const made = await ask('alerts/create-test-alert', { body, headers: { rcode: await makeRcode(site.sid) } });
    const alertId = Number((made.body as { alert_id: unknown }).alert_id);
    const found = await search(alertId);
    expect(found).toMatchObject({
      ...{ match: 'one', unasked: [{ connection: stripe, kind: 'stripe', label: 'x', problem: 'test_alert' }] },
    });
    const noCard = await ask('alerts/create-test-alert', { body: { ...body, card: '' } });
    expect(await search((noCard.body as { alert_id: number }).alert_id)).toMatchObject({
      ...{ match: 'none', unasked: [{ connection: stripe, problem: 'test_alert' }] },
    });
    expect(new Set(found.transactions.map(({ kind }) => kind))).toEqual(new Set(['sandbox']));
  });

  it("shows nothing of another merchant's alert, and an administrator all", async () => {
    await connect(sandbox);
    const alertId = await receive();
    const another = await newTenant();
    const theirs = await ask('connections/alert-transactions', { as: another.as, params: { alert_id: alertId } });
    const nobodys = await ask('connections/alert-transactions', {
      as: another.as,
      params: { alert_id: 1_999_999_999 },
    });
    expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
    expect((await search(alertId, 'admin')).transactions.length).toBeGreaterThan(0);
    const unmatched = await receive({ merchantDescriptor: 'NOBODY KNOWS THIS' });
    expect(await search(unmatched, 'admin')).toMatchObject({ match: 'none', transactions: [], unasked: [] });
  });

  it('does what it declares', () => expectDeclared('connections/alert-transactions'));
});

import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { fromImportItem } from '#disputes/history/import/history-import-row.ts';
import { handler as importHistory } from '#disputes/history/jobs/import-history/handler.ts';
import { importHistoryWorker } from '#disputes/history/jobs/import-history/worker.ts';
import { fromFiguresItem } from '#disputes/reports/figures-row.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { disputeIdOf } from '#payments/processors/ports/dispute.ts';
import { lookAt } from '#test/disputes/chargebacks/merchant.ts';
import { sentOrder } from '#test/payments/orders/samples.ts';
import { openShop, type Shop, store } from '#test/payments/orders/shop.ts';
import { type FakeMerchantService, startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { ask, beforeTransactions, expectDeclared, runWorker, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

/** The history of a merchant's own service, imported in the background. */

useOperations();

const now = Date.parse('2026-05-20T12:00:00.000Z');
const variables = ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'];
const queued: { importId: string; delay: number }[] = [];
beforeAll(() => {
  for (const name of variables) process.env[name] = 'true';
  process.env['IMPORTS_QUEUE_URL'] = 'https://sqs.example.com/imports';
  process.env['CHARGEBACKS_QUEUE_URL'] = 'https://sqs.example.com/chargebacks';
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
      queued.push(
        ...Entries.map(({ MessageBody = '', DelaySeconds = 0 }) => ({
          ...JSON.parse(MessageBody),
          delay: DelaySeconds,
        })),
      );
      return {};
    });
});
afterAll(() => {
  for (const name of [...variables, 'IMPORTS_QUEUE_URL', 'CHARGEBACKS_QUEUE_URL']) delete process.env[name];
  setClock();
});

let service: FakeMerchantService;
let shop: Shop;
let connection: string;
beforeEach(async () => {
  setClock(() => now);
  beforeTransactions();
  queued.length = 0;
  shop = await openShop();
  service = await startFakeMerchantService();
  const credentials = { base_url: service.url, secret: service.secret };
  const connections = [{ kind: 'http', label: 'Our charges', credentials }];
  const set = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections },
  });
  connection = (set.body as { connections: [{ id: string }] }).connections[0].id;
  return () => service[Symbol.asyncDispose]();
});

type Shown = Record<string, unknown> & {
  import_id: string;
  state: string;
  percent: number;
  counts: Record<string, number>;
  proposals: Record<string, unknown>[];
  months: Record<string, unknown>[];
  trouble: string | null;
};
const start = async (body: object = {}) =>
  ask('history/start-import', { as: shop.as, params: { mid: shop.mid, id: connection }, body });
const begin = async (body: object = {}): Promise<string> => {
  const { status, body: begun } = await start(body);
  expect({ status, begun }).toMatchObject({ status: 200, begun: { state: 'RUNNING', percent: 0 } });
  return (begun as Shown).import_id;
};
const place = (id: string) => ({ mid: shop.mid, id: connection, import_id: id });
const details = async (id: string): Promise<Shown> =>
  (await ask('history/import-details', { as: shop.as, params: place(id) })).body as Shown;
const change = async (id: string, action: string) =>
  ask('history/change-import', { as: shop.as, params: place(id), body: { action } });
type Batch = Parameters<typeof importHistory>[0];
const work = async (importId: string) => {
  const Records = [{ messageId: '1', body: JSON.stringify({ importId }) }];
  return (await runWorker(importHistoryWorker, () => importHistory({ Records } as Batch))).batchItemFailures;
};
const runAll = async () => {
  for (let rounds = 0; queued.length > 0; rounds += 1) {
    if (rounds > 100) throw new Error('The import does not end');
    expect(await work(queued.shift()?.importId ?? '')).toEqual([]);
  }
};
const days = (count: number) => now - count * milliseconds.day;
/** A year of charges, one every three days, of which every twentieth was charged back. */
const makeCharges = (count = 120) => {
  for (let n = 0; n < count; n += 1) {
    service.charge({ minor: 1000 + n, at: days(360 - 3 * n), isChargedBack: n % 20 === 0 });
  }
};

describe('an import of charges', () => {
  it('reads every charge of the time once, and shows its progress', async () => {
    makeCharges();
    service.charge({ minor: 9999, at: days(400) });
    const id = await begin();
    await runAll();
    expect(await details(id)).toMatchObject({
      ...{ state: 'DONE', percent: 100, trouble: null, kind: 'http', started_by: `merchant-${shop.mid}` },
      counts: { charges: 120, disputes: 0, orders: 0, refunds: 0, unreadable: 0 },
      unreadable: [],
      sums: [{ currency: 'USD', charged: '1271.40', refunded: '0.00' }],
    });
    const months = (await details(id)).months as { settled: number; charged_back: number }[];
    expect(months.reduce((sum, { settled }) => sum + settled, 0)).toBe(120);
    expect(months.reduce((sum, { charged_back }) => sum + charged_back, 0)).toBe(6);
  });

  it('counts the disputes that the service lists, whatever its charges state, and names those that cannot be read', async () => {
    makeCharges();
    const listed = (change: object = {}) => {
      const reference = `d${service.disputes.list?.size ?? 0}`;
      const said = { reference, charge: 'ch-1', status: 'lost', amount: '10.00', currency: 'USD', network: 'Visa' };
      service.disputes.list?.set(reference, { ...said, opened_at: iso(days(40)), ...change });
    };
    service.disputes.list = new Map();
    for (const change of [
      {},
      { network: 'VISA ' },
      { stage: 'inquiry' },
      { opened_at: iso(days(700)) },
      { amount: 'much' },
    ])
      listed(change);
    for (const [what, charges] of [
      [['charges', 'disputes'], 120],
      [['disputes'], 0],
    ] as const) {
      const id = await begin({ what });
      await runAll();
      const { months, ...shown } = await details(id);
      const counts = { charges, disputes: 2, unreadable: 1 };
      expect(shown).toMatchObject({
        state: 'DONE',
        percent: 100,
        counts,
        unreadable: [expect.stringContaining('amount')],
      });
      expect(months.filter(({ charged_back }) => charged_back !== 0)).toMatchObject([
        { month: '2026-04', scheme: 'VISA', charged_back: 2 },
      ]);
    }
  });

  it('waits for a service that does not say whether it lists disputes, and counts nothing meanwhile', async () => {
    makeCharges(3);
    service.disputes.fails = { after: 0, status: 500 };
    const id = await begin();
    await work(queued.shift()?.importId ?? '');
    expect(await details(id)).toMatchObject({
      state: 'RUNNING',
      counts: { charges: 0 },
      trouble: expect.stringContaining('500'),
    });
    service.disputes.fails = undefined;
    setClock(() => now + milliseconds.hour);
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 3 } });
  });

  it('counts nothing twice when messages are doubled, and when it is killed before its progress is written', async () => {
    makeCharges(60);
    const id = await begin();
    let kills = 0;
    beforeTransactions(async () => {
      kills += 1;
      if (kills % 3 === 0) throw new Error('killed');
    });
    for (let round = 0; round < 60 && (await details(id)).state === 'RUNNING'; round += 1) {
      await Promise.all([work(id), work(id)]);
    }
    beforeTransactions();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 60 } });
  });

  it.each([
    [{ date: 'yesterday' }, 'charge ch-11: date must be ISO 8601'],
    [{ amount: '1,000.00' }, 'charge ch-11: amount'],
    [{ currency: 'BITCOIN' }, 'charge ch-11: amount'],
    [{ card: { first6: '41', last4: '1111' } }, 'charge ch-11: card.first6 must be 6 digits'],
    [{ reference: '' }, 'charge 11: reference is empty'],
    [{ reference: '4111111111111111', settled: 'maybe' }, 'charge 411111******1111: settled must be true or false'],
  ])('reads on past a charge with %j, and names it with field and reason', async (sent, words) => {
    for (let n = 0; n < 12; n += 1) service.charge({ minor: 1000 + n, at: now - 1000 + n, ...(n === 10 && { sent }) });
    const id = await begin();
    await runAll();
    expect(await details(id)).toMatchObject({
      ...{ state: 'DONE', trouble: null, unreadable: [expect.stringContaining(words)] },
      counts: { charges: 11, unreadable: 1 },
    });
  });

  it('counts all charges that it could not read, on every page, and names the first twenty', async () => {
    for (let n = 0; n < 120; n += 1) {
      service.charge({ minor: 1000 + n, at: now - 1000 + n, ...(n % 2 === 0 && { sent: { amount: 'free' } }) });
    }
    const id = await begin();
    await runAll();
    const read = await details(id);
    expect(read).toMatchObject({ state: 'DONE', counts: { charges: 60, unreadable: 60 } });
    expect(read['unreadable']).toHaveLength(20);
  });

  it('waits longer each time the service does not answer, and goes on', async () => {
    makeCharges(10);
    const id = await begin();
    service.fail(503, /charges/, 2);
    await work(id);
    expect(await details(id)).toMatchObject({ state: 'RUNNING', trouble: expect.stringContaining('503') });
    expect(queued.at(-1)?.delay).toBe(30);
    setClock(() => now + 31_000);
    await work(id);
    expect(queued.at(-1)?.delay).toBe(60);
    setClock(() => now + 92_000);
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 10 }, trouble: null });
  });

  it('fails after two days without an answer, and continues where it stopped when it is resumed', async () => {
    makeCharges(10);
    const id = await begin();
    let at = now;
    service.fail(503, /charges/, 55);
    for (let n = 0; n < 60 && (await details(id)).state === 'RUNNING'; n += 1) {
      await work(id);
      at += milliseconds.hour;
      setClock(() => at);
    }
    expect(await details(id)).toMatchObject({ state: 'FAILED', trouble: expect.stringContaining('two days') });
    expect(at - now).toBeGreaterThan(2 * milliseconds.day);
    queued.length = 0;
    expect((await change(id, 'resume')).body).toMatchObject({ state: 'RUNNING', trouble: null });
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 10 } });
  });

  it('fails at once where the service lists no charges, refuses the secret, or is gone', async () => {
    const reasons: (string | null)[] = [];
    for (const status of [404, 401]) {
      const id = await begin();
      service.fail(status, /charges/, 1);
      await runAll();
      const { state, trouble } = await details(id);
      expect(state).toBe('FAILED');
      reasons.push(trouble);
    }
    expect(reasons).toEqual([
      'This connection does not list its charges.',
      expect.stringContaining('does not know the secret'),
    ]);
  });

  it('is paused, resumed and canceled by a person', async () => {
    makeCharges(10);
    const id = await begin();
    expect((await change(id, 'resume')).status).toBe(409);
    expect((await change(id, 'pause')).body).toMatchObject({ state: 'PAUSED' });
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'PAUSED', counts: { charges: 0 } });
    expect(await start()).toMatchObject({ status: 409, body: { msg: expect.stringContaining('not ended') } });
    await change(id, 'resume');
    expect((await change(id, 'cancel')).body).toMatchObject({ state: 'CANCELLED' });
    await runAll();
    expect((await change(id, 'resume')).status).toBe(409);
    const again = await begin();
    await runAll();
    expect(await details(again)).toMatchObject({ state: 'DONE', counts: { charges: 10 } });
    expect(await details('latest')).toMatchObject({ import_id: again });
    expect((await ask('history/import-details', { as: shop.as, params: place('imp_1') })).status).toBe(404);
    expect((await ask('history/import-details', { as: { mid: shop.mid + 1 }, params: place(id) })).status).toBe(404);
    expect(
      (await ask('history/change-import', { as: { mid: shop.mid + 1 }, params: place(id), body: { action: 'pause' } }))
        .status,
    ).toBe(404);
    expect(
      (await ask('history/change-import', { as: shop.as, params: place('imp_1'), body: { action: 'pause' } })).status,
    ).toBe(404);
  });

  it('does not resume a failed import after a later one was started', async () => {
    const failed = await begin();
    service.fail(401, /charges/, 1);
    await runAll();
    const later = await begin();
    expect((await change(failed, 'resume')).status).toBe(409);
    await runAll();
    expect(await details(later)).toMatchObject({ state: 'DONE' });
    expect(await details(failed)).toMatchObject({ state: 'FAILED' });
  });

  it('continues an import that was stored before its pages were counted', async () => {
    makeCharges(10);
    const id = await begin();
    const item = (await getItem(keys.historyImport(id))) ?? expect.fail('There is no row');
    const { pages: _, ...stored } = item['import'] as Record<string, unknown>;
    await putItem({ ...item, ...keys.historyImport(id), import: stored });
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 10 } });
  });

  it('counts an amount above any real one as ten billion, so that sums stay exact', async () => {
    for (let n = 0; n < 3; n += 1) service.charge({ minor: 9e16, at: days(20), isChargedBack: true });
    const id = await begin();
    await runAll();
    const sums = [{ currency: 'USD', charged: '30000000000.00', refunded: '0.00' }];
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { charges: 3 }, sums });
  });

  it('starts only one of two imports of a connection that are requested at once', async () => {
    const both = await Promise.all([start(), start()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is due for the sweep as long as it runs', async () => {
    const id = await begin();
    const due = async () => (await getItem(keys.historyImport(id)))?.['dueSk'];
    expect(await due()).toBe(`${iso(now)}#IMPORT#${id}`);
    await change(id, 'pause');
    expect(await due()).toBeUndefined();
    expect(fromImportItem(await getItem(keys.historyImport(id)))?.state).toBe('PAUSED');
  });

  it('refuses a time that is over too long ago, reversed, or to come', async () => {
    const words = async (body: object) => ((await start(body)).body as { details: string }).details;
    expect(await words({ from: '2022-01-01' })).toContain('from: must be at most three years ago');
    expect(await words({ from: '2026-05-02', to: '2026-05-01' })).toContain('from: must be before to');
    expect(await words({ to: '2027-01-01' })).toContain('to: must not be in the future');
  });
});

describe('the orders of an import', () => {
  const orderFor = (charge: { minor: number }, fields: object = {}) => ({
    ...{ reference: `R-${charge.minor}`, amount: `${(charge.minor / 100).toFixed(2)}`, arn: undefined },
    ...{ card_firstsix: '411111', card_lastfour: '1111', order_date: iso(days(20)), refunds: undefined },
    ...{ amount_subtotal: undefined, amount_shipping: undefined, amount_tax: undefined, amount_coupon: undefined },
    ...{ items: [{ name: 'Tea', quantity: 1, amount_unit: '1.00' }] },
    ...fields,
  });
  const chargeFor = (minor: number, fields: object = {}) =>
    service.charge({ minor, at: days(20), orderReference: `R-${minor}`, ...fields });

  it('links each order to the charge that names it, if amount, currency and card agree', async () => {
    const ids: Record<string, number> = {};
    for (const [name, minor, fields] of [
      ['same', 1100, {}],
      ['another amount', 1200, { amount: '12.01' }],
      ['another card', 1300, { card_lastfour: '2222' }],
      ['linked before', 1400, { processor: { connection: 'cn_other', reference: 'ch-x' } }],
    ] as const) {
      chargeFor(minor);
      ids[name] = await store(shop, { ...sentOrder(), ...orderFor({ minor }, fields) });
    }
    const id = await begin();
    await runAll();
    expect(await details(id)).toMatchObject({ counts: { charges: 4, orders: 1 } });
    const processorOf = async (name: string) => (await getOrder(ids[name] ?? 0))?.content.processor;
    expect(await processorOf('same')).toEqual({ connection, reference: 'ch-1' });
    expect(await processorOf('another amount')).toBeUndefined();
    expect(await processorOf('another card')).toBeUndefined();
    expect(await processorOf('linked before')).toEqual({ connection: 'cn_other', reference: 'ch-x' });
    const again = await begin();
    await runAll();
    expect(await details(again)).toMatchObject({ counts: { charges: 4, orders: 1 } });
  });

  it('links no order that several charges of its amount name, or whose charge was not captured', async () => {
    const orders: number[] = [];
    for (const minor of [1100, 1200, 1300]) {
      orders.push(await store(shop, { ...sentOrder(), ...orderFor({ minor }) }));
    }
    chargeFor(1100, { refunded: 1100 });
    chargeFor(1100);
    chargeFor(1200, { captured: 0 });
    chargeFor(1300);
    service.charge({ minor: 1301, at: days(19), orderReference: 'R-1300' });
    await begin();
    await runAll();
    const linked = await Promise.all(orders.map(async (id) => (await getOrder(id))?.content.processor));
    expect(linked).toEqual([undefined, undefined, { connection, reference: 'ch-4' }]);
  });

  it('asks for the dates of refunds for 15 seconds a page, and links all its orders', async () => {
    for (let minor = 1100; minor < 1140; minor += 1) {
      chargeFor(minor, { refunded: 100 });
      await store(shop, { ...sentOrder(), ...orderFor({ minor }) });
    }
    const id = await begin();
    let at = now;
    setClock(() => {
      at += 200;
      return at;
    });
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', counts: { orders: 40 } });
    const searches = service.requests.filter(({ path }) => path.endsWith('/search'));
    expect(searches.length).toBeGreaterThan(0);
    expect(searches.length).toBeLessThan(40);
  });

  it('notes a refund at its order once, and only where refunds are imported', async () => {
    chargeFor(1100, { refunded: 500, refundedAt: days(10) });
    const order = await store(shop, { ...sentOrder(), ...orderFor({ minor: 1100 }) });
    const refunds = async () => (await getOrder(order))?.content.refunds;
    await begin({ what: ['charges'] });
    await runAll();
    expect(await refunds()).toBeUndefined();
    for (let round = 0; round < 2; round += 1) {
      await begin();
      await runAll();
      expect(await refunds()).toEqual([{ amount: '5.00', currency: 'USD', at: iso(days(10)) }]);
    }
  });

  it('proposes what to enroll until it is enrolled', async () => {
    const arn = '24000016070000622606414';
    for (const descriptor of ['SHOP*ORDER 1', 'Shop*Order 2', 'FINE TEAS LONDON']) {
      service.charge({ minor: 1000, at: days(9), descriptor, arn, caid: 'abc123' });
    }
    const id = await begin();
    await runAll();
    const { proposals } = await details(id);
    expect(proposals).toMatchObject([
      { provider: ['provider_a', 'provider_b'], descriptor: 'SHOP*', match_type: 'Starts with', charges: 2 },
      { provider: ['provider_a', 'provider_b'], descriptor: 'FINE TEAS LONDON', match_type: 'Exact', charges: 1 },
      { provider: ['rdr'], network_bin: '400001', network_caid: 'ABC123', descriptor: null, charges: 3 },
    ]);
  });

  it("gives the programmes a merchant's real months, until an acquirer's figures replace them", async () => {
    for (let n = 0; n < 50; n += 1) service.charge({ minor: 1000, at: days(40) + n, isChargedBack: n < 2 });
    await begin();
    await runAll();
    const april = async () => {
      const asked = { as: shop.as, body: { mid: shop.mid, month: '2026-04' } };
      const { list } = (await ask('reports/programmes', asked)).body as { list: { programme: string }[] };
      return list.find(({ programme }) => programme === 'VAMP');
    };
    expect(await april()).toMatchObject({ numerator: 2, denominator: 50, ratio_bps: 400 });
    const figures = { mid: shop.mid, month: '2026-04', scheme: 'VISA', settled_count: 100, chargeback_count: 1 };
    await ask('reports/set-figures', { as: shop.as, body: figures });
    expect(await april()).toMatchObject({ numerator: 1, denominator: 100 });
  });
});

describe('an import of disputes', () => {
  let stripe: FakeStripe;
  beforeEach(async () => {
    stripe = await startFakeStripe();
    const credentials = { secret_key: stripe.secretKey, base_url: stripe.url };
    const connections = [{ kind: 'stripe', label: 'The shop', credentials }];
    const set = await replaceConnections(shop, connections);
    connection = (set.body as { connections: [{ id: string }] }).connections[0].id;
    return () => stripe[Symbol.asyncDispose]();
  });

  const dispute = (daysAgo: number, status = 'lost') => {
    const { id, intent, amount, currency } = stripe.elsewhere.add({ minor: 4200, number: '4242424242424242' });
    const charge = stripe.elsewhere.charges.get(id) ?? expect.fail('There is no charge');
    Object.assign(charge, { created: Math.floor(days(daysAgo + 30) / 1000) });
    const paid = { id: intent, amount, currency, latest_charge: { id } };
    return stripe.disputes.open(paid, { status, created: Math.floor(days(daysAgo) / 1000) });
  };

  it('counts listed disputes instead of disputed charges, and leaves out inquiries', async () => {
    dispute(40);
    dispute(100);
    dispute(100, 'warning_closed');
    dispute(500);
    const id = await begin();
    await runAll();
    const shown = await details(id);
    expect(shown).toMatchObject({ state: 'DONE', percent: 100, counts: { charges: 3, disputes: 2 } });
    expect(shown.months.map(({ charged_back }) => charged_back).filter((count) => count !== 0)).toEqual([1, 1]);
  });

  it('keeps the figures of a month until all its charges and disputes are counted', async () => {
    // The first five are of charges of April; the others were raised in April.
    for (const daysAgo of [15, 15, 15, 15, 15, 40, 40]) dispute(daysAgo);
    const april = async () => fromFiguresItem(await getItem(keys.monthFigures(shop.mid, '2026-04', 'VISA')));
    await begin();
    await runAll();
    const figures = await april();
    expect(figures).toEqual({ settled: 5, chargebacks: 2, fraud: 0 });
    await begin({ what: ['disputes'] });
    await runAll();
    expect(await april()).toEqual(figures);
    stripe.fail(503, /disputes\?created/, 4);
    const id = await begin({ from: '2026-03-01' });
    await work(queued.shift()?.importId ?? '');
    expect(await details(id)).toMatchObject({ state: 'RUNNING', reading: 'disputes' });
    expect(await april()).toEqual(figures);
  });

  it('leaves a chargeback for each counted dispute of a managed merchant, and none of others', async () => {
    const { id } = dispute(40);
    await begin({ what: ['disputes'] });
    await runAll();
    const noticed = async () => {
      const place = { mid: shop.mid, processor: 'stripe', connection, reference: id } as const;
      return getItem(keys.disputeNotice(disputeIdOf(place)));
    };
    expect(await noticed()).toBeUndefined();
    const { mid } = shop;
    await putItem(toMerchantItem({ mid, name: 'Merchant', createdAt: iso(now), profile: { cbm: true } }));
    const others = [dispute(50, 'lost'), dispute(60, 'won')].map((one) => one.id);
    const imported = await begin({ what: ['disputes'] });
    await runAll();
    expect(await noticed()).toBeDefined();
    expect((await details(imported)).counts).toMatchObject({ disputes: 3 });
    const notices = [id, ...others].map((reference) => ({
      noticeId: disputeIdOf({ mid, processor: 'stripe', connection, reference }),
    }));
    expect(await lookAt(...notices)).toEqual([]);
    const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: {} });
    const { list } = body as { list: { dispute_reference: string }[] };
    expect(list.map((one) => one.dispute_reference).sort()).toEqual([id, ...others].sort());
  });
});

it.each(['history/start-import', 'history/import-details', 'history/change-import'])(
  '%s uses and refuses only what it declares',
  expectDeclared,
);

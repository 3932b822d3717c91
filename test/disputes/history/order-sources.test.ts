import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { handler as importHistory } from '#disputes/history/jobs/import-history/handler.ts';
import { shopifyOrdersPerPage } from '#disputes/history/orders/shopify-shop-client.ts';
import { wooOrdersPerPage } from '#disputes/history/orders/woocommerce-client.ts';
import { lookUpOrder } from '#disputes/lookups/lookup/find-store.ts';
import { lookupOfProviderB } from '#disputes/lookups/lookup/provider-b-lookup.ts';
import { getOrder, orderIdOfReference } from '#payments/orders/order-store.ts';
import { orderSourceDue } from '#payments/orders/source/order-source-due.ts';
import { fromOrderSourceItem } from '#payments/orders/source/order-source-row.ts';
import { sentOrder } from '#test/payments/orders/samples.ts';
import { allRows, openShop, rowsWith, type Shop, store } from '#test/payments/orders/shop.ts';
import { type FakeMerchantService, startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { type FakeShopify, startFakeShopify } from '#test/support/fake-shopify.ts';
import { type FakeWooCommerce, startFakeWooCommerce } from '#test/support/fake-woocommerce.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

/** Orders that are imported from a merchant's shop on a schedule. */

useOperations();

const start = Date.parse('2026-05-20T12:00:00.000Z');
const variables = ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'];
const queued: { body: unknown; delay: number }[] = [];
beforeAll(() => {
  for (const name of variables) process.env[name] = 'true';
  process.env['IMPORTS_QUEUE_URL'] = 'https://sqs.example.com/imports';
  process.env['LOOKUPS_QUEUE_URL'] = 'https://sqs.example.com/lookups';
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
      for (const { MessageBody = '', DelaySeconds = 0 } of Entries) {
        queued.push({ body: JSON.parse(MessageBody), delay: DelaySeconds });
      }
      return {};
    });
});
afterAll(() => {
  for (const name of [...variables, 'IMPORTS_QUEUE_URL', 'LOOKUPS_QUEUE_URL']) delete process.env[name];
});

let shop: Shop;
let woo: FakeWooCommerce;
let service: FakeMerchantService;
let connection: string;
const ownService = () => {
  const credentials = { base_url: service.url, secret: service.secret };
  return { kind: 'http', label: 'Our charges', credentials };
};
const connect = async (at: Shop, wanted: object = ownService()): Promise<string> => {
  const set = await replaceConnections(at, [wanted]);
  return (set.body as { connections: [{ id: string }] }).connections[0].id;
};
beforeEach(async () => {
  setClock(() => start);
  queued.length = 0;
  shop = await openShop();
  woo = await startFakeWooCommerce();
  service = await startFakeMerchantService();
  connection = await connect(shop);
  return async () => {
    await woo[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  };
});
afterEach(() => setClock());

type Fields = Record<string, unknown>;
type Shown = Fields & { order_source: Fields | null };
const wooKeys = () => ({ consumer_key: woo.consumerKey, consumer_secret: woo.consumerSecret });
const set = (order_source: unknown, { as, sid }: Shop = shop) =>
  ask('orders/set-order-profile', { as, params: { sid }, body: { order_source } });
const setWoo = async (change: Fields = {}): Promise<void> => {
  const { status, body } = await set({ kind: 'woocommerce', base_url: woo.url, ...wooKeys(), ...change });
  expect({ status, body }).toMatchObject({ status: 200, body: { order_source: { kind: 'woocommerce' } } });
};
const shown = async ({ as, sid }: Shop = shop): Promise<Fields | null> =>
  ((await ask('orders/order-profile-details', { as, params: { sid } })).body as Shown).order_source;
const readRow = async ({ sid }: Shop = shop) => fromOrderSourceItem(await getItem(keys.orderSource(sid)));

type Batch = Parameters<typeof importHistory>[0];
const deliver = async (body: unknown) => {
  const Records = [{ messageId: '1', body: JSON.stringify(body) }];
  return (await importHistory({ Records } as Batch)).batchItemFailures;
};
const readSlot = async (at: Shop = shop): Promise<string> =>
  (await readRow(at))?.nextAt ?? expect.fail('Nothing is due');
const run = async (at: Shop = shop) => deliver({ orderSource: at.sid, slot: await readSlot(at) });
/** Delivers the messages that the router sends for each write, until the next run is later than now. */
const runAll = async (at: Shop = shop): Promise<number> => {
  for (let pages = 0; ; pages += 1) {
    if (pages > 200) throw new Error('The import does not end');
    const slot = await readSlot(at);
    // A slot may be a millisecond after the one before it.
    if (Date.parse(slot) > nowMilliseconds() + 1000) return pages;
    if (Date.parse(slot) > nowMilliseconds()) setClock(() => Date.parse(slot));
    await run(at);
  }
};
const later = (minutes: number) => {
  const at = nowMilliseconds() + minutes * milliseconds.minute;
  setClock(() => at);
};

const runLater = (minutes: number) => {
  later(minutes);
  return runAll();
};
const importWoo = async () => {
  await setWoo();
  return runAll();
};

const minutesAgo = (minutes: number) => start - minutes * milliseconds.minute;
/** A paid order of the shop, and its charge at the merchant's own processor. */
const sell = ({
  at = minutesAgo(60),
  fields = {},
  charge = {},
}: {
  at?: number;
  fields?: Fields;
  charge?: object;
} = {}) => {
  const made = service.charge({ minor: 3250, at, ...charge });
  return woo.order({ modified: at, fields: { transaction_id: made.reference, ...fields } });
};
const stored = async (id: number, { sid }: Shop = shop) => {
  const orderId = await orderIdOfReference(sid, String(id));
  return orderId === undefined ? undefined : getOrder(orderId);
};
const ordersIn = async ({ sid }: Shop = shop): Promise<Fields[]> =>
  (await allRows()).filter((row) => row['entity'] === 'ORDER' && row['sid'] === sid);

describe('the orders of a WooCommerce shop', () => {
  it('are stored with the card that the processor of their charge states', async () => {
    const { id } = sell();
    await importWoo();
    expect((await stored(id))?.content).toMatchObject({
      ...{ reference: String(id), amount: '32.50', currency: 'USD', order_date: iso(minutesAgo(60)) },
      ...{ amount_subtotal: '25.00', amount_shipping: '5.00', amount_tax: '2.50', amount_coupon: '0.00' },
      ...{ card_firstsix: '411111', card_lastfour: '1111', card_type: 'VISA', auth_code: '123ABC' },
      processor: { connection, reference: 'ch-1' },
      items: [{ name: 'Tea', quantity: '2', amount_unit: '12.50', sku: 'T-1' }],
      customer: { account_id: '7', firstname: 'Ada', email: 'ada@example.com' },
      device: { ip: '203.0.113.7' },
      shipping: { name: 'Ada Lovelace', address: '12 St James Square', country: 'GB' },
    });
    expect(await shown()).toMatchObject({
      ...{ kind: 'woocommerce', base_url: woo.url, consumer_key: '…4567', trouble: null },
      ...{ imported: 1, updated: 0, without_card: 0, refused: 0, last_refusal: null },
      ...{ last_run_at: iso(start), next_run_at: iso(start + 15 * milliseconds.minute) },
    });
  });

  it('are found by the look-up of a bank', async () => {
    const { id } = sell();
    await importWoo();
    const request = lookupOfProviderB({
      ...{ insightId: 'insight', transactionRequestId: 'request-1', source: 'OIM', paymentType: 'VISA' },
      ...{ entityInfo: { partnerId: 'p', clientId: shop.clientId }, paymentDescriptor: 'SHOP*ONLINE 123' },
      ...{ transactionDate: '2026-05-20', transactionAmount: { amount: '32.50', currency: 'USD' } },
      ...{ cardBin: '411111', cardLast4: '1111' },
    } as Parameters<typeof lookupOfProviderB>[0]);
    const answer = await lookUpOrder(request, performance.now());
    expect(answer.order).toMatchObject({ reference: String(id), total: '32.50', items: [{ name: 'Tea' }] });
  });

  it('are read page by page, also where many changed in one second, and each is stored once', async () => {
    const count = wooOrdersPerPage * 3 + 7;
    for (let n = 0; n < count; n += 1) sell({ at: minutesAgo(n < wooOrdersPerPage * 2 ? 90 : 80 - n / 10) });
    await setWoo();
    expect(await runAll()).toBeGreaterThan(3);
    expect(await ordersIn()).toHaveLength(count);
    expect(await shown()).toMatchObject({ imported: count, updated: 0, trouble: null });
    const before = woo.requests.length;
    sell({ at: start + milliseconds.minute });
    later(15);
    expect(await runAll()).toBe(1);
    expect(woo.requests.length).toBe(before + 1);
    expect(await shown()).toMatchObject({ imported: count + 1, updated: 0 });
  });

  it('are read to the end where the keys may not read some of them', async () => {
    const count = wooOrdersPerPage + 10;
    for (let n = 0; n < wooOrdersPerPage * 2; n += 1) woo.order({ modified: minutesAgo(60), isHidden: n > 10 });
    for (let n = 0; n < count; n += 1) sell({ at: minutesAgo(59) + n * milliseconds.second });
    await importWoo();
    expect(await ordersIn()).toHaveLength(count);
  });

  it('are counted once where they are left out, although later runs read them again', async () => {
    sell();
    woo.order({ modified: minutesAgo(60), fields: { transaction_id: 'not-there' } });
    woo.order({ modified: minutesAgo(60), fields: { line_items: 'none' } });
    await importWoo();
    expect(await shown()).toMatchObject({ imported: 1, updated: 0, without_card: 1, refused: 1 });
    later(15);
    // One run for the order that could not be read, and one for the list.
    expect(await runAll()).toBe(2);
    expect(await shown()).toMatchObject({ imported: 1, updated: 0, without_card: 1, refused: 1 });
  });

  it('are read from 120 days ago on, or from as long ago as orders are kept', async () => {
    const days = (count: number) => start - count * milliseconds.day;
    const [old, young, recent] = [121, 119, 20].map((count) => sell({ at: days(count) }).id);
    await importWoo();
    expect(await stored(old ?? 0)).toBeUndefined();
    expect([await stored(young ?? 0), await stored(recent ?? 0)]).not.toContain(undefined);
    await set(null);
    await ask('orders/set-order-profile', { as: shop.as, params: { sid: shop.sid }, body: { retain_days: 30 } });
    await setWoo();
    expect((await readRow())?.position.after).toBe(iso(days(30)));
  });

  it('are left out where they are not paid, and counted where their card is not known', async () => {
    sell({ fields: { date_paid_gmt: null, status: 'pending' } });
    sell({ fields: { status: 'cancelled' } });
    sell({ fields: { transaction_id: '' } });
    sell({ fields: { transaction_id: 'ch-unknown' } });
    sell({ charge: { minor: 3251 } });
    sell({ charge: { captured: 0 } });
    await importWoo();
    expect(await ordersIn()).toEqual([]);
    expect(await shown()).toMatchObject({ imported: 0, without_card: 4, refused: 0, trouble: null });
  });

  it('get the refunds of the shop, also later, but none that the merchant has reported already', async () => {
    const [first, second] = [sell().id, sell().id];
    woo.refund(first, '10.00');
    await importWoo();
    expect((await stored(first))?.content.refunds).toMatchObject([
      { amount: '10.00', currency: 'USD', at: iso(start) },
    ]);
    later(20);
    woo.refund(first, '2.50');
    woo.refund(second, '32.50');
    await runAll();
    expect((await stored(first))?.content.refunds).toMatchObject([{ amount: '10.00' }, { amount: '2.50' }]);
    expect((await stored(second))?.content.refunds).toMatchObject([{ amount: '32.50' }]);
    expect(await shown()).toMatchObject({ imported: 2, updated: 2 });
    const { id } = sell({ at: nowMilliseconds() });
    const own = await store(shop, sentOrder({ reference: String(id), amount: '361.56' }));
    await runLater(20);
    expect((await getOrder(own))?.content).toMatchObject({ amount: '361.56', refunds: [{ amount: '5.00' }] });
    expect(await shown()).toMatchObject({ imported: 2, updated: 2 });
  });

  it('are stored without what the order API refuses, with card numbers masked and hostile text on one line', async () => {
    const card = '4000002760000016';
    const { id } = sell({
      fields: {
        customer_ip_address: 'localhost',
        line_items: [
          { name: `Gift ${card}\u202e\n<script>alert(1)</script>`, quantity: 1, subtotal: '25.00', sku: card },
          { name: 'x'.repeat(500), quantity: 1, subtotal: '0.00', sku: '' },
        ],
        billing: {
          ...{ first_name: card, last_name: `ignore previous\u0000 instructions`, address_1: `PIN ${card}` },
          ...{ country: 'Wonderland', email: 'not an address', city: 'London', postcode: '1' },
        },
      },
    });
    await importWoo();
    expect(await shown()).toMatchObject({ imported: 1, refused: 0 });
    const content = (await stored(id))?.content;
    expect(content).toMatchObject({
      items: [{ name: 'Gift 400000******0016 alert(1)' }, { name: 'x'.repeat(100) }],
      customer: { firstname: '400000******0016', lastname: 'ignore previous instructions' },
      billing: { address: 'PIN 400000******0016', suburb_city: 'London' },
    });
    expect(content?.customer).not.toHaveProperty('email');
    expect(content?.billing).not.toHaveProperty('country');
    expect(content?.device).not.toHaveProperty('ip');
    expect(await rowsWith(card)).toEqual([]);
  });

  it.each(['deleted', 'erased'])(
    'stay %s, also where they change in the shop or are read from the beginning',
    async (how) => {
      const { id } = sell({ fields: { customer_id: 7 } });
      const kept = sell({ fields: { customer_id: 8 } });
      await importWoo();
      const params = { id: (await stored(id))?.orderId ?? 0 };
      const body = { account_id: '7', mid: shop.mid };
      await (how === 'deleted'
        ? ask('lookups/delete-order', { as: shop.as, params })
        : ask('lookups/erase-orders', { as: shop.as, body }));
      expect(await stored(id)).toBeUndefined();
      later(60);
      woo.refund(id, '1.00');
      await runAll();
      await set(null);
      await importWoo();
      expect([await stored(id), await stored(kept.id)]).toEqual([undefined, expect.anything()]);
      // The merchant may send it again.
      await store(shop, sentOrder({ reference: String(id) }));
      expect(await stored(id)).toBeDefined();
    },
  );

  it('are counted as refused, with the reason, where the rest is not enough', async () => {
    sell({ fields: { line_items: [] } });
    const { id } = sell({ at: minutesAgo(30), fields: { number: '4000002760000016' } });
    woo.order({ modified: minutesAgo(20), fields: { line_items: 'none' } });
    await importWoo();
    expect(id).toBeGreaterThan(0);
    expect(await shown()).toMatchObject({
      ...{ imported: 0, refused: 3, trouble: null },
      last_refusal: 'Order 400000******0016: reference: must not hold a card number',
    });
    expect(await rowsWith('4000002760000016')).toEqual([]);
  });
});

const stanza = {
  errors: { woocommerce_rest_invalid_order_refund_id: ['Invalid order refund ID.'] },
  error_data: { woocommerce_rest_invalid_order_refund_id: 404 },
};

describe('an order of WooCommerce whose refunds cannot be read', () => {
  it.each([
    // https://github.com/woocommerce/woocommerce/issues/12102
    ['stanzas of errors', 200, [stanza], 'refunds.0.id: has a form that is not known.'],
    ['an object', 200, { code: 'x', message: 'y' }, 'refunds: has a form that is not known.'],
    ['null', 200, 'null', 'refunds: has a form that is not known.'],
    ['HTML', 200, '<br /><b>Fatal error</b>', 'refunds: The shop put HTML or a notice of PHP before its answer.'],
    ['an amount in words', 200, [{ id: 9, amount: 'ten' }], 'refunds.0.amount: has a form that is not known.'],
    ['three decimals', 200, [{ id: 9, amount: '1.005' }], 'refunds.0.amount: has a form that is not known.'],
    ['404', 404, {}, 'refunds: The shop has no list of them (404).'],
    ['403', 403, {}, 'refunds: The shop refused the keys (403).'],
    ['500', 500, {}, 'refunds: The shop answered with status 500.'],
    ['a redirect', 302, {}, 'refunds: The shop answered with status 302.'],
  ])('is refused by name, and read again, while all others are stored: %s', async (_, status, body, words) => {
    const others: number[] = [];
    const sellOthers = (ago: number) => {
      for (let n = 0; n < 6; n += 1) others.push(sell({ at: minutesAgo(ago) + n * milliseconds.second }).id);
    };
    sellOthers(100);
    const broken = sell({ at: minutesAgo(80) });
    broken.refunds.push({ id: 9, amount: '10.00', at: minutesAgo(70) });
    broken.refundsAnswer = { status, body };
    sellOthers(60);
    await importWoo();
    const [orders, reason] = [await Promise.all(others.map((id) => stored(id))), `Order ${broken.id}: ${words}`];
    expect(orders).not.toContain(undefined);
    const waiting = { retries: [{ reference: String(broken.id), reason: expect.stringContaining(reason) }] };
    const refused = { imported: 12, refused: 1, trouble: null, last_refusal: expect.stringContaining(reason) };
    expect(await shown()).toMatchObject({ ...waiting, ...refused, last_run_at: expect.any(String) });
    await runLater(15);
    expect(await shown()).toMatchObject({ ...waiting, ...refused });
    delete broken.refundsAnswer;
    await runLater(30);
    expect((await stored(broken.id))?.content.refunds).toMatchObject([{ amount: '10.00' }]);
    expect(await shown()).toMatchObject({ imported: 13, refused: 0, retries: [], last_refusal: null });
  });

  it('is read again where it is known already, and where the shop closes the connection about it', async () => {
    const { id } = sell();
    await importWoo();
    later(20);
    woo.refund(id, '10.00');
    woo.fail('lost', /\d\/refunds/, 2);
    const { id: other } = sell({ at: nowMilliseconds() });
    await run();
    expect(await stored(other)).toBeDefined();
    expect(await shown()).toMatchObject({ refused: 1, trouble: null, retries: [{ reference: String(id) }] });
    await runLater(15);
    expect((await stored(id))?.content.refunds).toMatchObject([{ amount: '10.00' }]);
    expect(await shown()).toMatchObject({ refused: 0, retries: [] });
  });

  it('counts as refused each time that it cannot be read, and no longer once it is', async () => {
    const order = sell();
    await setWoo();
    for (const amount of ['1.00', '2.00']) {
      woo.refund(order.id, amount);
      order.refundsAnswer = { status: 500, body: {} };
      await runAll();
      expect(await shown()).toMatchObject({ refused: 1 });
      delete order.refundsAnswer;
      await runLater(15);
      expect(await shown()).toMatchObject({ refused: 0, retries: [] });
      later(15);
    }
  });

  it('waits with its page where the shop receives too many requests, but not forever', async () => {
    const broken = sell();
    broken.refunds.push({ id: 9, amount: '10.00', at: minutesAgo(70) });
    broken.refundsAnswer = { status: 429, body: {}, headers: { 'retry-after': '120' } };
    const { id } = sell({ at: minutesAgo(50) });
    await setWoo();
    await run();
    expect(await shown()).toMatchObject({ refused: 0, next_run_at: iso(start + 2 * milliseconds.minute) });
    for (let n = 0; n < 3; n += 1) {
      later(10);
      await run();
    }
    expect(await stored(id)).toBeDefined();
    expect(await shown()).toMatchObject({ refused: 1, trouble: null, retries: [{ reference: String(broken.id) }] });
  });

  it('is forgotten where the shop has it no longer, and given up in the end', async () => {
    const [gone, hopeless] = [sell(), sell()];
    for (const one of [gone, hopeless]) {
      one.refunds.push({ id: 9, amount: '10.00', at: minutesAgo(70) });
      one.refundsAnswer = { status: 500, body: {} };
    }
    sell({ at: minutesAgo(10) });
    await importWoo();
    woo.orders.delete(gone.id);
    for (let tries = 0; tries < 120; tries += 1) {
      await runLater(6 * 60 + 1);
      if (tries === 0) expect(await shown()).toMatchObject({ retries: [{ reference: String(hopeless.id) }] });
    }
    expect(await shown()).toMatchObject({ retries: [], refused: 2 });
  });

  const sellBroken = (at: number) => {
    const broken = sell({ at });
    broken.refunds.push({ id: 9, amount: '10.00', at: minutesAgo(70) });
    broken.refundsAnswer = { status: 500, body: {} };
    return String(broken.id);
  };

  it('stops the import with its name where more than 200 are so, and a whole page', async () => {
    for (let n = 0; n < 200 + 2 * wooOrdersPerPage; n += 1) sellBroken(minutesAgo(600 - n));
    const { id } = sell({ at: minutesAgo(10) });
    await importWoo();
    expect(await stored(id)).toBeUndefined();
    expect(await shown()).toMatchObject({
      trouble: expect.stringMatching(
        /^More than 200 orders cannot be read, and none of the last page\. Order \d+: refunds: /,
      ),
    });
  });

  it('does not stop the import where more than 200 are so among others, of which the newest are read again', async () => {
    const broken: string[] = [];
    for (let n = 0; n < 210; n += 1) {
      broken.push(sellBroken(minutesAgo(600 - 2 * n)));
      if (n % 20 === 0) sell({ at: minutesAgo(599 - 2 * n) });
    }
    const { id } = sell({ at: minutesAgo(10) });
    await importWoo();
    expect(await stored(id)).toBeDefined();
    expect((await readRow())?.retries.map(({ reference }) => reference)).toEqual(broken.slice(-200));
    expect(await shown()).toMatchObject({
      ...{ imported: 12, refused: 210 },
      trouble: expect.stringMatching(
        /^Many orders cannot be read\. Only the newest 200 of them are read again\. Order \d+: refunds: /,
      ),
    });
  });
});

describe('an order of WooCommerce in a form that is not known', () => {
  it.each([
    [{ line_items: [{ name: 'Tea', quantity: 'many', subtotal: '25.00' }] }, 'line_items.0.quantity'],
    [{ date_created_gmt: '0000-00-00' }, 'date_created_gmt'],
    [{ total: 'free' }, 'total'],
    [{ currency: 'DOLLARS' }, 'currency'],
    [{ billing: 'none' }, 'billing'],
  ])('is named with its field, and read again: %j', async (fields, field) => {
    const broken = sell({ fields: { number: 'W-77', ...fields } });
    await importWoo();
    const reason = `Order W-77: ${field}: has a form that is not known.`;
    expect(await shown()).toMatchObject({ refused: 1, last_refusal: reason, retries: [{ reference: 'W-77', reason }] });
    broken.fields = { transaction_id: broken.fields['transaction_id'] };
    await runLater(15);
    expect(await stored(broken.id)).toBeDefined();
    expect(await shown()).toMatchObject({ imported: 1, refused: 0, retries: [], last_refusal: null });
  });

  it('does not stop the import where a whole page is so', async () => {
    for (let n = 0; n < wooOrdersPerPage + 5; n += 1) sell({ at: minutesAgo(300 - n), fields: { line_items: null } });
    const { id } = sell({ at: minutesAgo(10) });
    await importWoo();
    expect(await stored(id)).toBeDefined();
    expect(await shown()).toMatchObject({ imported: 1, refused: wooOrdersPerPage + 5, trouble: null });
  });
});

describe('an order of WooCommerce without a time of change', () => {
  it('is read again until it can be read', async () => {
    const broken = sell({ fields: { date_modified_gmt: null } });
    sell({ at: minutesAgo(10) });
    await importWoo();
    later(11);
    await run();
    await runLater(15);
    expect(await shown()).toMatchObject({ refused: 1, retries: [{ reference: String(broken.id) }] });
    broken.fields = { transaction_id: broken.fields['transaction_id'] };
    await runLater(6 * 60);
    expect(await stored(broken.id)).toBeDefined();
    expect(await shown()).toMatchObject({ imported: 2, refused: 0, retries: [] });
  });
});

describe('the refunds of a WooCommerce shop', () => {
  it.each([
    ['status refunded, none listed', { status: 'refunded', refunds: [] }, ['32.50'], '32.50'],
    ['status refunded, none anywhere', { status: 'refunded', refunds: [] }, [], '32.50'],
    ['status refunded, a part of it', { status: 'refunded', refunds: [] }, ['12.50'], '12.50'],
    ['a list without them', { refunds: [{ id: 5, total: '-10.00' }] }, [], '10.00'],
    ['a larger list', { refunds: [{ id: 5, total: '-10.00' }] }, ['0.00'], '10.00'],
    ['a smaller list', { refunds: [{ id: 5, total: '-0.00' }] }, ['7.50'], '7.50'],
    ['a list of numbers', { refunds: [{ id: 5, total: -10 }] }, ['4.00'], '10.00'],
    ['a list above the total', { refunds: [{ id: 5, total: '-99.00' }] }, ['7.50'], '7.50'],
    ['refunds above the total', { refunds: [{ id: 5, total: '-10.00' }] }, ['99.00'], '10.00'],
    ['a list without the amount', { refunds: [{ id: 5 }] }, ['7.50'], '7.50'],
  ])('are found by the larger sum that is certain, which is said: %s', async (_, fields, amounts, sum) => {
    const order = sell({ fields });
    for (const [id, amount] of amounts.entries()) order.refunds.push({ id, amount, at: minutesAgo(30) });
    await importWoo();
    expect((await stored(order.id))?.content.refunds).toMatchObject([{ amount: sum, currency: 'USD' }]);
    const said = String((await shown())?.['contradiction']);
    expect(said.startsWith(`Order ${order.id}: the list of orders states`) && said.endsWith(`${sum} counts.`)).toBe(
      true,
    );
  });

  it('are not taken for none where the list states one whose amount is nowhere', async () => {
    const order = sell({ fields: { refunds: [{ id: 5 }] } });
    await importWoo();
    expect(await stored(order.id)).toBeUndefined();
    expect(await shown()).toMatchObject({ refused: 1, retries: [{ reference: String(order.id) }] });
  });

  it('of the last 30 days are found within a day although the time of change stays, by few requests', async () => {
    const [partly, wholly, old] = [2, 20, 40].map((days) => sell({ at: start - days * milliseconds.day }));
    if (!partly || !wholly || !old) return expect.fail('no orders');
    for (let n = 0; n < 20; n += 1) sell({ at: minutesAgo(600 - n) });
    await importWoo();
    later(60);
    woo.refund(partly.id, '10.00', true);
    wholly.fields = { ...wholly.fields, status: 'refunded' };
    woo.refund(old.id, '10.00', true);
    await runLater(22 * 60);
    expect((await stored(partly.id))?.content.refunds).toBeUndefined();
    later(2 * 60);
    const before = woo.requests.length;
    await runAll();
    expect((await stored(partly.id))?.content.refunds).toMatchObject([{ amount: '10.00' }]);
    // The order is older, its refund is not.
    expect((await stored(old.id))?.content.refunds).toMatchObject([{ amount: '10.00' }]);
    // The list of all refunds and their orders, the refunds of both, and a page of orders.
    expect(woo.requests.length - before).toBe(5);
    await runLater(15);
    expect((await stored(wholly.id))?.content.refunds).toMatchObject([{ amount: '32.50' }]);
    // A page of orders twice, and the refunds of the other.
    expect(woo.requests.length - before).toBe(8);
    await runLater(24 * 60);
    expect(await shown()).toMatchObject({ updated: 3, trouble: null });
  });

  it('are looked for page by page, between the usual runs, and never stop these', async () => {
    for (let n = 0; n < 2 * wooOrdersPerPage; n += 1) sell({ at: start - 2 * milliseconds.day + n * 60_000 });
    woo.release.isOld = true;
    await importWoo();
    later(24 * 60 + 1);
    const last = [...woo.orders.keys()].at(wooOrdersPerPage + 20) ?? 0;
    woo.refund(last, '5.00', true);
    await runAll();
    expect((await stored(last))?.content.refunds).toBeUndefined();
    woo.fail(500, /modified_after=2026-04/, 1);
    for (let n = 0; n < 4; n += 1) {
      await runLater(15);
    }
    expect((await stored(last))?.content.refunds).toMatchObject([{ amount: '5.00' }]);
  });
});

describe('refunds of WooCommerce that neither the list of orders nor the status states', () => {
  const refundUnseen = async (): Promise<number> => {
    const { id } = sell({ at: start - 3 * milliseconds.day, fields: { refunds: [] } });
    await importWoo();
    later(60);
    woo.refund(id, '10.00', true);
    await runLater(24 * 60);
    return id;
  };

  it('are found within a day in the list of all refunds, once', async () => {
    const id = await refundUnseen();
    expect((await stored(id))?.content.refunds).toMatchObject([{ amount: '10.00', currency: 'USD' }]);
    later(25 * 60);
    const before = woo.requests.length;
    await runAll();
    expect((await stored(id))?.content.refunds).toHaveLength(1);
    expect(woo.requests.slice(before).filter(({ path }) => /\d\/refunds$/.test(path))).toEqual([]);
  });

  it.each([
    ['before WooCommerce 9.0', () => Object.assign(woo.release, { isOld: true })],
    ['that answers an error', () => woo.fail(500, /v3\/refunds/, 1)],
    ['that closes the connection', () => woo.fail('lost', /v3\/refunds/, 1)],
  ])('stay unknown in a shop %s, which is read on', async (_, arrange) => {
    arrange();
    const id = await refundUnseen();
    expect((await stored(id))?.content.refunds).toBeUndefined();
    const other = sell({ at: nowMilliseconds() });
    await runLater(15);
    expect(await stored(other.id)).toBeDefined();
    expect(await shown()).toMatchObject({ trouble: null });
  });
});

describe('the orders of a Shopify shop', () => {
  let shopify: FakeShopify;
  let id: string;
  beforeEach(async () => {
    shopify = await startFakeShopify();
    const { clientId: client_id, clientSecret: client_secret, url: base_url } = shopify;
    const credentials = { shop: 'tea.myshopify.com', client_id, client_secret, base_url };
    id = await connect(shop, { kind: 'shopify', label: 'Our shop', credentials });
    return () => shopify[Symbol.asyncDispose]();
  });
  const setShopify = async (): Promise<void> => {
    const { status, body } = await set({ kind: 'shopify', connection: id });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { order_source: { kind: 'shopify', connection: id } },
    });
  };
  const importShopify = async () => {
    await setShopify();
    return runAll();
  };
  const soldOrder = async (order: string) => {
    const orderId = await orderIdOfReference(shop.sid, `#${order}`);
    return orderId === undefined ? undefined : getOrder(orderId);
  };

  it('are stored with card, delivery and refunds, and updated later', async () => {
    const sale = shopify.sell({ minor: 3250, at: minutesAgo(60) });
    shopify.details.set(sale.order, {
      totalTaxSet: { presentmentMoney: { amount: '2.5', currencyCode: 'USD' } },
    });
    await importShopify();
    expect((await soldOrder(sale.order))?.content).toMatchObject({
      ...{ amount: '32.50', amount_subtotal: '30.00', amount_tax: '2.50', order_date: iso(minutesAgo(60)) },
      ...{ card_firstsix: '411111', card_lastfour: '1111', card_type: 'VISA', auth_code: '643381' },
      processor: { connection: id, reference: expect.stringMatching(/^sh_/) },
      items: [{ name: 'Tea', quantity: '1', amount_unit: '32.50', sku: 'T-1' }],
      customer: { firstname: 'Ada', email: 'ada@example.com' },
      device: { ip: '203.0.113.7' },
      deliveries: [],
    });
    later(15);
    shopify.refundByHand(sale.id, 1000);
    const tracking = { company: 'Royal Mail', number: 'RM1', url: 'https://mail.example/RM1' };
    shopify.details.set(sale.order, {
      fulfillments: [{ status: 'SUCCESS', createdAt: iso(minutesAgo(5)), trackingInfo: [tracking] }],
    });
    await runAll();
    expect((await soldOrder(sale.order))?.content).toMatchObject({
      refunds: [{ amount: '10.00', currency: 'USD' }],
      deliveries: [{ type: 'physical', status: 'shipped', provider: 'Royal Mail', tracking_number: 'RM1' }],
    });
    expect(await shown()).toMatchObject({ imported: 1, updated: 1, refused: 0, trouble: null });
    await runLater(15);
    expect(await shown()).toMatchObject({ imported: 1, updated: 1 });
  });

  it('are read page by page, and each is stored once', async () => {
    const count = shopifyOrdersPerPage * 4 + 3;
    for (let n = 0; n < count; n += 1) {
      shopify.sell({ minor: 1000 + n, at: minutesAgo(n < shopifyOrdersPerPage * 2 ? 90 : 80 - n) });
    }
    await setShopify();
    expect(await runAll()).toBeGreaterThan(4);
    expect(await ordersIn()).toHaveLength(count);
    expect(await shown()).toMatchObject({ imported: count, updated: 0, trouble: null });
  });

  it('are read to the end where many changed in one second and each page takes longer than a run', async () => {
    const count = shopifyOrdersPerPage + 3;
    for (let n = 0; n < count; n += 1) shopify.sell({ minor: 1000 + n, at: minutesAgo(90) });
    await setShopify();
    let at = start;
    setClock(() => {
      at += 2 * milliseconds.second;
      return at;
    });
    for (let runs = 0; runs < 30; runs += 1) await run();
    expect(await ordersIn()).toHaveLength(count);
  });

  const asBank = async (amount: string, number: string, at = minutesAgo(60)) => {
    const request = lookupOfProviderB({
      ...{
        insightId: `i-${amount}-${number}`,
        transactionRequestId: `r-${amount}-${number}`,
        source: 'OIM',
        paymentType: 'VISA',
      },
      ...{ entityInfo: { partnerId: 'p', clientId: shop.clientId }, paymentDescriptor: 'SHOP*ONLINE 123' },
      ...{ transactionDate: iso(at), transactionAmount: { amount, currency: 'USD' } },
      ...{ cardBin: number.slice(0, 6), cardLast4: number.slice(-4) },
    } as Parameters<typeof lookupOfProviderB>[0]);
    return (await lookUpOrder(request, performance.now())).order;
  };
  const [visa, other, gift] = ['4111111111111111', '4000056655665556', ''];
  type Taken = Parameters<FakeShopify['sell']>[0] & { back?: number };
  /** An order of several transactions. `back`: what was refunded of each. */
  const sellTogether = (total: number, ...taken: Taken[]): string => {
    const [first, ...rest] = taken.map(({ back: _, ...one }, index) => ({ at: minutesAgo(60 - index), ...one }));
    if (!first) return expect.fail('nothing was taken');
    const sale = shopify.sell(first);
    const sold = [sale, ...rest.map((one) => shopify.sell({ ...one, order: sale.order }))];
    for (const [index, { id }] of sold.entries()) if (taken[index]?.back) shopify.refundByHand(id, taken[index].back);
    const amount = String(total / 100);
    const price = { presentmentMoney: { amount, currencyCode: 'USD' }, shopMoney: { amount, currencyCode: 'USD' } };
    shopify.details.set(sale.order, { totalPriceSet: price });
    return sale.order;
  };

  it.each<[string, number, Taken[], [string, string, string[]][]]>([
    [
      'a gift card first',
      10_000,
      [
        { minor: 4000, number: gift },
        { minor: 6000, number: visa },
      ],
      [['60.00', visa, []]],
    ],
    [
      'a card first',
      10_000,
      [
        { minor: 6000, number: visa },
        { minor: 4000, number: gift },
      ],
      [['60.00', visa, []]],
    ],
    [
      'a gift card that was refunded',
      10_000,
      [{ minor: 4000, number: gift, back: 4000 }, { minor: 6000 }],
      [['60.00', visa, []]],
    ],
    [
      'two cards, one refunded in part',
      10_000,
      [{ minor: 3000 }, { minor: 7000, number: other, back: 1000 }],
      [
        ['30.00', visa, []],
        ['70.00', other, ['10.00']],
      ],
    ],
    [
      'one that was edited up',
      12_000,
      [{ minor: 10_000 }, { minor: 2000 }],
      [
        ['100.00', visa, []],
        ['20.00', visa, []],
      ],
    ],
    ['one that was edited down', 8000, [{ minor: 10_000, back: 2000 }], [['100.00', visa, ['20.00']]]],
    ['an edited one, refunded whole', 8000, [{ minor: 10_000, back: 10_000 }], [['100.00', visa, ['100.00']]]],
    ['two equal charges', 4000, [{ minor: 2000 }, { minor: 2000 }], [['20.00', visa, []]]],
    ['a partial capture', 10_000, [{ minor: 6000, isCaptured: true }], [['60.00', visa, []]]],
  ])(
    'are found by each amount that was charged to the card, with its own refunds: %s',
    async (_, total, taken, asked) => {
      const order = sellTogether(total, ...taken);
      await importShopify();
      for (const [amount, number, refunds] of asked) {
        const found = await asBank(amount, number);
        expect(found).toMatchObject({ reference: `#${order}`, paid: amount, card: { last4: number.slice(-4) } });
        expect(found?.refunds.map((one) => one.amount)).toEqual(refunds);
      }
      expect(await asBank('40.00', visa)).toBeNull();
      expect(await shown()).toMatchObject({ imported: 1, without_card: 0, refused: 0 });
    },
  );

  it('are found by each of several captures of one authorisation, with the refund of that capture', async () => {
    const held = shopify.sell({ minor: 10_000, at: minutesAgo(60), kind: 'AUTHORIZATION' });
    const capture = (minor: number) =>
      shopify.sell({ minor, at: minutesAgo(50), kind: 'CAPTURE', order: held.order, parent: held.id });
    const [first, second] = [capture(6000), capture(4000)];
    shopify.refundByHand(second.id, 1500);
    await importShopify();
    expect(first.order).toBe(second.order);
    expect(await asBank('60.00', visa)).toMatchObject({ reference: `#${held.order}`, paid: '60.00', refunds: [] });
    expect(await asBank('40.00', visa)).toMatchObject({ paid: '40.00', refunds: [{ amount: '15.00' }] });
    expect(await asBank('100.00', visa)).toBeNull();
  });

  it('keep a refund to the card whose charge is not certain, without a charge', async () => {
    const cards = sellTogether(10_000, { minor: 6000 }, { minor: 4000, number: other, hasBin: false, back: 1000 });
    const twice = sellTogether(5000, { minor: 3000 }, { minor: 2000 }, { minor: 900, kind: 'REFUND' });
    const cardless = sellTogether(5500, { minor: 3500 }, { minor: 2000 }, { minor: 800, kind: 'REFUND', number: gift });
    const held = shopify.sell({ minor: 9000, at: minutesAgo(60), kind: 'AUTHORIZATION' });
    for (const minor of [5000, 4000]) {
      shopify.sell({ minor, at: minutesAgo(50), kind: 'CAPTURE', order: held.order, parent: held.id });
    }
    shopify.refundByHand(held.id, 700);
    await importShopify();
    expect(await shown()).toMatchObject({ imported: 4, refused: 0, last_refusal: null });
    const refundsOf = async (order: string) =>
      (await soldOrder(order))?.content.refunds?.map(({ amount, charge }) => [amount, charge]);
    expect(await Promise.all([cards, twice, cardless, held.order].map(refundsOf))).toEqual([
      [['10.00', undefined]],
      [['9.00', undefined]],
      undefined,
      [['7.00', undefined]],
    ]);
    expect(await asBank('30.00', visa)).toMatchObject({ refunds: [{ amount: '9.00' }] });
  });

  it('are found by a charge that was added later, and not after they were deleted', async () => {
    const order = sellTogether(10_000, { minor: 10_000 });
    await importShopify();
    later(30);
    shopify.sell({ minor: 2000, order, number: other, at: nowMilliseconds() });
    const price = { presentmentMoney: { amount: '120.0', currencyCode: 'USD' } };
    shopify.details.set(order, { totalPriceSet: price });
    await runAll();
    const sold = (await soldOrder(order)) ?? expect.fail('no order');
    expect(sold.content).toMatchObject({ amount: '120.00', card_lastfour: '1111' });
    expect(await asBank('20.00', other, nowMilliseconds())).toMatchObject({ reference: `#${order}`, total: '120.00' });
    expect(await asBank('100.00', visa)).toMatchObject({ reference: `#${order}` });
    await ask('lookups/delete-order', { as: shop.as, params: { id: sold.orderId } });
    expect(await asBank('20.00', other, nowMilliseconds())).toBeNull();
    expect((await allRows()).filter(({ entity, id: own }) => entity === 'ORDERCARD' && own === sold.orderId)).toEqual(
      [],
    );
  });

  it('are left out where no card paid any of it', async () => {
    sellTogether(4000, { minor: 4000, number: gift });
    await importShopify();
    expect(await shown()).toMatchObject({ imported: 0, without_card: 1 });
  });

  it('name the field of one that cannot be read, and read it again', async () => {
    const [broken, other] = [shopify.sell({ minor: 3250, at: minutesAgo(60) }), shopify.sell({ minor: 100 })];
    shopify.details.set(broken.order, { updatedAt: iso(minutesAgo(60)), clientIp: null, createdAt: 'yesterday' });
    await importShopify();
    expect(await soldOrder(other.order)).toBeDefined();
    const reason = `Order #${broken.order}: createdAt: has a form that is not known.`;
    expect(await shown()).toMatchObject({ imported: 1, refused: 1, retries: [{ reason }], last_refusal: reason });
    shopify.details.set(broken.order, { updatedAt: iso(minutesAgo(60)) });
    await runLater(15);
    expect(await soldOrder(broken.order)).toBeDefined();
    expect(await shown()).toMatchObject({ imported: 2, refused: 0, retries: [] });
  });

  it('are left out where they are tests, cancelled, not captured, or without a card', async () => {
    const [test, cancelled, cardless] = [1, 2, 3].map(() => shopify.sell({ minor: 3250, at: minutesAgo(60) }));
    shopify.details.set(test?.order ?? '', { test: true });
    shopify.details.set(cancelled?.order ?? '', { cancelledAt: iso(minutesAgo(30)) });
    if (cardless) cardless.number = '';
    shopify.sell({ minor: 3250, at: minutesAgo(60), isCaptured: false });
    await importShopify();
    expect(await ordersIn()).toEqual([]);
    expect(await shown()).toMatchObject({ imported: 0, without_card: 1, refused: 0, trouble: null });
  });

  it('wait where Shopify does not answer, refuses the app, or the connection was removed', async () => {
    shopify.sell({ minor: 3250, at: minutesAgo(60) });
    await setShopify();
    const troubles: unknown[] = [];
    for (const status of [429, 403, 500]) {
      shopify.fail(status, /query SoldOrders/, 1);
      await run();
      troubles.push((await shown())?.['trouble']);
      later(61);
    }
    expect(troubles).toEqual([
      'Shopify receives too many requests (429).',
      expect.stringContaining('read_orders'),
      'Shopify answered with status 500.',
    ]);
    await replaceConnections(shop, []);
    await run();
    expect(await shown()).toMatchObject({ imported: 0, trouble: expect.stringContaining('removed') });
  });

  it('are not read through a connection for other sites', async () => {
    const { status, body } = await set({ kind: 'shopify', connection: id }, await openShop());
    expect({ status, body }).toMatchObject({ status: 400, body: { details: expect.stringContaining('no such') } });
    const item = (await getItem(keys.connections(shop.mid))) ?? expect.fail('There is no row');
    const { list, ...rest } = item['connections'] as { list: Fields[] };
    const connections = { ...rest, list: list.map((one) => ({ ...one, sids: [shop.sid + 1] })) };
    await putItem({ ...item, ...keys.connections(shop.mid), connections });
    expect((await set({ kind: 'shopify', connection: id })).body).toMatchObject({
      details: 'order_source.connection: is for other sites',
    });
  });
});

describe('a run of an order source', () => {
  const count = wooOrdersPerPage + 5;
  const sellMany = () => {
    for (let n = 0; n < count; n += 1) sell({ at: minutesAgo(200 - n) });
  };

  it('loses and doubles nothing wherever it is killed', async () => {
    sellMany();
    let kill = 0;
    let writes = 0;
    for (kill = 1; ; kill += 7) {
      await setWoo();
      writes = 0;
      let isKilled = false;
      beforeTransactions(async () => {
        writes += 1;
        if (writes < kill || isKilled) return;
        isKilled = true;
        throw new Error('killed');
      });
      await runAll();
      beforeTransactions();
      const orders = await ordersIn();
      expect(orders).toHaveLength(count);
      expect(new Set(orders.map(({ content }) => (content as Fields)['reference'])).size).toBe(count);
      expect(await shown()).toMatchObject({ imported: count, trouble: null });
      if (!isKilled) break;
      await set(null);
      shop = await openShop();
      connection = await connect(shop);
    }
    expect(kill).toBeGreaterThan(count);
  }, 120_000);

  it('reads a page again whose record was lost, and counts its orders once', async () => {
    sellMany();
    await setWoo();
    const killed: string[] = [];
    beforeTransactions(async ({ TransactItems = [] }) => {
      const source = TransactItems[0]?.Put?.Item;
      const at = JSON.stringify((source?.['source'] as Fields | undefined)?.['position']);
      if (source?.['entity'] !== 'ORDER_SOURCE' || killed.includes(at)) return;
      killed.push(at);
      throw new Error('killed');
    });
    await runAll();
    beforeTransactions();
    expect(killed).toHaveLength(2);
    expect(await ordersIn()).toHaveLength(count);
    expect(await shown()).toMatchObject({ imported: count, updated: 0, trouble: null });
  });

  it('is recorded once where two read at once, and ignores messages for other runs', async () => {
    sellMany();
    await setWoo();
    const slots: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const slot = await readSlot();
      if (Date.parse(slot) > nowMilliseconds() + 1000) break;
      slots.push(slot);
      setClock(() => Math.max(start, Date.parse(slot)));
      await Promise.all([run(), run(), run()]);
    }
    expect(await ordersIn()).toHaveLength(count);
    expect(await shown()).toMatchObject({ imported: count });
    const before = woo.requests.length;
    for (const slot of slots) await deliver({ orderSource: shop.sid, slot });
    expect(woo.requests.length).toBe(before);
    await deliver({ orderSource: shop.sid, slot: await readSlot() });
    expect(woo.requests.length).toBe(before);
    expect(queued).toEqual([{ body: { orderSource: shop.sid, slot: await readSlot() }, delay: 600 }]);
  });

  it('is due for the sweep, and each write of its row calls for the next one', async () => {
    await setWoo();
    const row = (await getItem(keys.orderSource(shop.sid))) ?? expect.fail('There is no row');
    const slot = await readSlot();
    expect(row['dueSk']).toBe(`${slot}#ORDER_SOURCE#${shop.sid}`);
    const body = { orderSource: shop.sid, slot };
    const message = { queue: 'imports', body, group: `order-source-${shop.sid}` };
    expect(orderSourceDue.sweptMessage(row, iso(start))).toEqual(message);
    const [wake] = orderSourceDue.wakes;
    const change = { before: undefined, replaced: undefined, after: row };
    expect(wake?.messages(change, iso(start))).toEqual([{ ...message, at: slot }]);
    expect(wake?.messages({ ...change, before: row }, iso(start))).toEqual([]);
  });

  it('waits as long as the shop asks, longer each time it does not answer, and goes on', async () => {
    sell();
    await setWoo();
    woo.limit('600');
    await run();
    expect(await shown()).toMatchObject({
      trouble: 'The shop receives too many requests (429).',
      next_run_at: iso(start + 600 * milliseconds.second),
    });
    later(10);
    woo.fail(503, /orders/, 1);
    await run();
    expect(await shown()).toMatchObject({
      trouble: 'The shop answered with status 503.',
      next_run_at: iso(nowMilliseconds() + milliseconds.minute),
    });
    later(1);
    woo.fail('cut', /orders/, 1);
    await run();
    expect(await shown()).toMatchObject({ trouble: expect.stringMatching(/^The shop did not answer/) });
    woo.limit('999999999');
    later(2);
    await run();
    expect(await readSlot()).toBe(iso(nowMilliseconds() + milliseconds.hour));
    await runLater(60);
    expect(await shown()).toMatchObject({ imported: 1, trouble: null });
  });

  it('states wrong keys, an address without a shop, and an answer that is no list', async () => {
    sell();
    await setWoo({ consumer_secret: `cs_${'0'.repeat(40)}` });
    await run();
    expect(await shown()).toMatchObject({ trouble: 'The shop refused the keys (401).', imported: 0 });
    await setWoo();
    woo.fail(404, /orders/, 1);
    await run();
    expect(await shown()).toMatchObject({ trouble: expect.stringContaining('no REST API of WooCommerce') });
    await setWoo();
    woo.fail(200, /orders/, 1);
    await run();
    expect(await shown()).toMatchObject({ trouble: expect.stringContaining('something else than orders') });
    await setWoo();
    woo.fail(302, /orders/, 1);
    await run();
    expect(await shown()).toMatchObject({ trouble: 'The shop answered with status 302.' });
    await importWoo();
    expect(await shown()).toMatchObject({ imported: 1, trouble: null });
  });

  const silence = 'The connection Our charges (http) did not answer. It is asked for the cards of the orders.';
  /** Four runs, and three hours, in which the connection answers nothing. */
  const runInSilence = async () => {
    service.fail(503, /search/, 1000);
    for (let n = 0; n < 4; n += 1) {
      await run();
      later(45);
    }
  };

  it('waits for a connection that may know a card, and goes on without it after three hours', async () => {
    const { id } = sell();
    await setWoo();
    await runInSilence();
    later(-1);
    await run();
    expect(await shown()).toMatchObject({ imported: 0, without_card: 0, trouble: silence });
    later(60);
    await run();
    expect(await stored(id)).toBeUndefined();
    expect(await shown()).toMatchObject({ imported: 0, without_card: 1, trouble: silence });
  });

  it('waits for a connection that was silent in few runs, although hours lie between these', async () => {
    sell();
    await setWoo();
    service.fail(503, /search/, 1000);
    for (let n = 0; n < 4; n += 1) {
      await run();
      later(600);
    }
    expect(await shown()).toMatchObject({ without_card: 0, trouble: silence });
  });

  it('waits for a silent connection once, not for each page, and uses it again when it answers', async () => {
    for (let n = 0; n < 3 * wooOrdersPerPage; n += 1) sell({ at: minutesAgo(600 - n) });
    await setWoo();
    await runInSilence();
    await runAll();
    expect(await shown()).toMatchObject({ imported: 0, without_card: 3 * wooOrdersPerPage });
    service.mend();
    const { id } = sell({ at: nowMilliseconds() });
    await runLater(15);
    expect(await stored(id)).toBeDefined();
    // With those of the two minutes before, which each run reads again.
    expect(await shown()).toMatchObject({ imported: 3, trouble: null });
    expect((await readRow())?.silences).toEqual({});
  });

  it('asks a connection that does not answer only a few times per page', async () => {
    for (let n = 0; n < wooOrdersPerPage; n += 1) sell({ at: minutesAgo(600 - n) });
    await setWoo();
    await runInSilence();
    service.requests.length = 0;
    await runAll();
    expect(await shown()).toMatchObject({ without_card: wooOrdersPerPage });
    // The group of orders that were waited for, and three more groups of five.
    expect(service.requests.length).toBeLessThanOrEqual(20);
  });

  it('goes on without an order for which alone a connection never answers, and imports the others', async () => {
    const broken = sell({ charge: { number: '4' } });
    const { id } = sell({ at: minutesAgo(50) });
    await setWoo();
    for (let n = 0; n < 5; n += 1) {
      await run();
      expect(await shown()).toMatchObject({ without_card: 0, trouble: silence });
      // The others are known after the first run: the connection answers for a new one.
      sell({ at: minutesAgo(49) + n });
      later(n < 4 ? 40 : 60);
    }
    expect(await stored(id)).toBeDefined();
    await runAll();
    expect(await stored(broken.id)).toBeUndefined();
    expect(await shown()).toMatchObject({
      imported: 6,
      without_card: 1,
      next_run_at: iso(nowMilliseconds() + 15 * milliseconds.minute),
    });
  });

  it('imports all other orders of a page with three that its connection never answers', async () => {
    const others: number[] = [];
    for (let n = 0; n < wooOrdersPerPage; n += 1) {
      const isBroken = n === 0 || n === 5 || n === 10;
      const { id } = sell({ at: minutesAgo(600 - n * 3), ...(isBroken && { charge: { number: '4' } }) });
      if (!isBroken) others.push(id);
    }
    await setWoo();
    for (let n = 0; n < 20; n += 1) {
      await run();
      later(61);
    }
    const missing = [];
    for (const id of others) if (!(await stored(id))) missing.push(id);
    expect(missing).toEqual([]);
    expect(await shown()).toMatchObject({ without_card: 3 });
  });

  it('still waits for a connection after outages of the shop', async () => {
    sell();
    await setWoo();
    woo.fail(503, /orders/, 12);
    for (let n = 0; n < 12; n += 1) {
      await run();
      later(61);
    }
    service.fail(503, /search/, 5);
    await run();
    expect(await shown()).toMatchObject({ without_card: 0, trouble: silence });
  });

  it('ends before its function does, and continues after the orders that it has stored', async () => {
    for (let n = 0; n < wooOrdersPerPage; n += 1) sell({ at: minutesAgo(600 - n) });
    await setWoo();
    beforeTransactions(async () => {
      const at = nowMilliseconds() + 3 * milliseconds.second;
      setClock(() => at);
    });
    const pages = await runAll();
    beforeTransactions();
    expect(pages).toBeGreaterThan(3);
    expect(await ordersIn()).toHaveLength(wooOrdersPerPage);
    expect(await shown()).toMatchObject({ imported: wooOrdersPerPage, refused: 0, trouble: null });
  });

  it('continues within one second where even known orders take all of its time', async () => {
    for (let n = 0; n < wooOrdersPerPage; n += 1) sell({ at: minutesAgo(600) });
    await setWoo();
    let at = start;
    setClock(() => {
      at += 2 * milliseconds.second;
      return at;
    });
    for (let runs = 0; runs < 60; runs += 1) await run();
    expect(await ordersIn()).toHaveLength(wooOrdersPerPage);
  });

  it('stops where the merchant keeps no orders any more, and where the source was removed', async () => {
    sell();
    await setWoo();
    const slot = await readSlot();
    expect((await set(null)).body).toMatchObject({ order_source: null });
    await deliver({ orderSource: shop.sid, slot });
    expect([await readRow(), woo.requests.length]).toEqual([undefined, 0]);
  });
});

describe('setting an order source', () => {
  it('keeps the keys and the place at one origin, and removes both at another', async () => {
    sell();
    await importWoo();
    const before = await readRow();
    const again = await set({ kind: 'woocommerce', base_url: `${woo.url}/` });
    expect(again.body).toMatchObject({ order_source: { consumer_key: '…4567', imported: 1 } });
    expect(await readRow()).toMatchObject({ sealed: before?.sealed, position: before?.position });
    const other = await startFakeWooCommerce();
    const moved = await set({ kind: 'woocommerce', base_url: other.url });
    expect(moved.body).toMatchObject({
      order_source: { base_url: other.url, imported: 0, next_run_at: null, trouble: expect.stringContaining('keys') },
    });
    expect((moved.body as Shown).order_source).not.toHaveProperty('consumer_key');
    expect(await readRow()).toMatchObject({ sealed: null, nextAt: null });
    expect(other.requests).toEqual([]);
    const given = await set({ kind: 'woocommerce', base_url: other.url, ...wooKeys() });
    expect(given.body).toMatchObject({ order_source: { next_run_at: iso(start), trouble: null } });
    await other[Symbol.asyncDispose]();
  });

  it('never shows the keys, and stores them sealed', async () => {
    const { body } = await set({ kind: 'woocommerce', base_url: woo.url, ...wooKeys() });
    const texts = [JSON.stringify(body), JSON.stringify(await shown()), JSON.stringify(await allRows())];
    for (const text of texts) {
      expect(text).not.toContain(woo.consumerSecret);
      expect(text).not.toContain(woo.consumerKey);
    }
  });

  it.each([
    [{ kind: 'woocommerce', base_url: 'https://shop.example' }, 'order_source.consumer_key: is required'],
    [{ kind: 'woocommerce', base_url: 'http://10.0.0.1', keys: true }, 'order_source.base_url: must begin with https'],
    [{ kind: 'woocommerce', base_url: 'https://10.0.0.1', keys: true }, 'order_source.base_url: must name a host'],
    [
      { kind: 'woocommerce', base_url: 'https://shop.example/?a=1', keys: true },
      'order_source.base_url: must not contain a query',
    ],
    [
      { kind: 'woocommerce', base_url: 'https://shop.example/?', keys: true },
      'order_source.base_url: must not contain a query',
    ],
    [
      { kind: 'woocommerce', base_url: 'https://shop.example/#shop', keys: true },
      'order_source.base_url: must not contain a query or a fragment',
    ],
    [
      { kind: 'woocommerce', base_url: 'https://u:p@shop.example', keys: true },
      'order_source.base_url: must not contain a username',
    ],
    [
      { kind: 'woocommerce', base_url: 'https://shop.example', consumer_key: `ck_${'0'.repeat(40)}` },
      'order_source.consumer_secret: is required',
    ],
    [
      { kind: 'woocommerce', base_url: 'https://shop.example', consumer_key: 'ck_1' },
      'order_source.consumer_key: must be a consumer key',
    ],
    [{ kind: 'shopify', connection: 'cn_unknown' }, 'order_source.connection: the merchant has no such connection'],
    [{ kind: 'other' }, 'order_source'],
  ])('refuses %j', async ({ keys: hasKeys, ...source }: Fields, words) => {
    const { status, body } = await set({ ...source, ...(hasKeys === true && wooKeys()) });
    expect({ status, body }).toMatchObject({ status: 400, body: { details: expect.stringContaining(words) } });
    expect(await readRow()).toBeUndefined();
  });

  it('refuses a connection of another kind, and one of another merchant', async () => {
    const other = await openShop();
    for (const at of [shop, other]) {
      expect((await set({ kind: 'shopify', connection }, at)).body).toMatchObject({
        details: expect.stringContaining('the merchant has no such connection to Shopify'),
      });
    }
  });

  it('is refused to others, who see nothing of it either', async () => {
    sell();
    await importWoo();
    const other = await openShop();
    const foreign = { ...shop, as: other.as };
    expect((await set({ kind: 'woocommerce', base_url: woo.url }, foreign)).status).toBe(404);
    expect((await ask('orders/order-profile-details', { as: other.as, params: { sid: shop.sid } })).status).toBe(404);
    expect(await shown(other)).toBeNull();
    expect(await ordersIn(other)).toEqual([]);
  });

  it('leaves the profile as it is, and the profile leaves the source', async () => {
    await setWoo();
    const params = { sid: shop.sid };
    const { body } = await ask('orders/set-order-profile', {
      as: shop.as,
      params,
      body: { support_phone: '+1 555 0100' },
    });
    expect(body).toMatchObject({ support_phone: '+1 555 0100', order_source: { kind: 'woocommerce' } });
    expect((await set(null)).body).toMatchObject({ support_phone: '+1 555 0100', order_source: null });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, type Item, putItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { Chargeback } from '#disputes/chargebacks/chargeback.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type SearchReply, searchOperation } from '#disputes/search/api/search/operation.ts';
import { indexMerchant } from '#disputes/search/search-backfill-store.ts';
import { saveSearchEntries } from '#disputes/search/search-entry-store.ts';
import { toOrderItem } from '#payments/orders/order-row.ts';
import { aProviderAlert } from '#test/disputes/alerts/samples.ts';
import { callsDuring, fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { now, order } from '#test/payments/orders/samples.ts';
import { allRows, openShop, type Shop, store } from '#test/payments/orders/shop.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';
import { putChargeback as storeChargeback } from './seed.ts';

useOperations();
useSandbox();

beforeEach(() => setClock(() => Date.parse(now)));
afterEach(() => setClock());

/** Does what the counter does for new rows. */
const index = (...items: Item[]) => saveSearchEntries(items.map((after) => ({ before: undefined, after })));
const indexAll = async () => index(...(await allRows()));

const search = async (as: As, text: string, more: object = {}): Promise<SearchReply> => {
  const { status, body } = await ask(searchOperation, { as, body: { text, ...more } });
  expect(status).toBe(200);
  return body as SearchReply;
};

const counts = ({ people, alerts, chargebacks, payments, orders }: SearchReply) =>
  [people, alerts, chargebacks, payments, orders].map(({ n }) => n).join(' ');

const putAlert = async ({ mid }: { mid: number }, change: Partial<ProviderAlert> = {}) => {
  const site = await seedSite({ mid });
  const alertId = 1_700_000_000_000_000 + fresh();
  const alert = createAlert(alertId, aProviderAlert({ card: '424242xxxxxx4242', ...change }), now, {
    ...{ site, matchedDescriptor: 'SHOP' },
  });
  await putItem(toAlertItem(alert));
  await index(toAlertItem(alert));
  return { alert, site };
};

const putChargeback = async (change: Partial<Chargeback>): Promise<string> => {
  const { id, item } = await storeChargeback(change);
  await index(item);
  return id;
};

describe('a search', () => {
  let shop: Shop;
  let orderId: number;
  beforeEach(async () => {
    shop = await openShop();
    orderId = await store(shop, { reference: `web-${fresh()}-7004` });
    await indexAll();
  });

  it.each([
    ...[
      'ada@example.com',
      'ADA@Example.com',
      'email:ada@example.com',
      'lovelace',
      'Ada Lovelace',
      '7004',
      'order:7004',
    ],
    ...[
      '24692161070000622606414',
      'arn:24692161070000622606414',
      '424242 4242',
      '424242******4242',
      '•••• 4242',
      '4242',
    ],
    ...['$361.56', '361.56', '361,56 USD', 'USD 361,56', 'SHOP*ONLINE', '"shop*online 123"', 'online', '387373'],
    ...['582112345678901', 'RM123456789GB', 'ada-1', '203.0.113.7', 'lovelace 361.56', 'visa 4242', 'card:424242'],
  ])('finds an order and its buyer by %s', async (text) => {
    const found = await search(shop.as, text);
    expect(found.orders.list).toMatchObject([{ order_id: orderId, customer: 'Ada Lovelace' }]);
    expect(found.people.list).toMatchObject([{ email: 'ada@example.com', name: 'Ada Lovelace', purchase_id: orderId }]);
  });

  it('finds an order by its own number', async () =>
    expect(counts(await search(shop.as, String(orderId)))).toBe('1 0 0 0 1'));

  it.each(['ada@example.org', 'amount:361.57', '361,56 EUR', 'lovelace 12.61', 'mastercard 4242', 'descriptor:4242'])(
    'does not find it by %s',
    async (text) => expect(counts(await search(shop.as, text))).toBe('0 0 0 0 0'),
  );

  it('finds an alert by its card, amount, ARN, descriptor, case and number', async () => {
    const { alert } = await putAlert(shop, { caseId: 'CASE-77', descriptor: 'TERN*VALE 55', arn: '1'.repeat(23) });
    for (const text of ['424242 4242', '361.56', '1'.repeat(23), 'vale', 'case-77', String(alert.alertId)]) {
      expect((await search(shop.as, text)).alerts.list, text).toMatchObject([{ alert_id: alert.alertId }]);
    }
  });

  it('finds the alert and the chargeback about an order by its buyer', async () => {
    const { alert } = await putAlert(shop, { card: '', arn: '' });
    const chargebackId = await putChargeback({ mid: shop.mid });
    const disputed = order(
      { reference: `R-${fresh()}`, customer: { email: 'grace@example.com' } },
      {
        ...{ mid: shop.mid, sid: shop.sid },
        disputes: [
          { alertId: alert.alertId, type: 'FRAUD', at: now },
          { alertId: null, chargebackId, type: 'CHARGEBACK', at: now },
        ],
      },
    );
    await putItem(toOrderItem(disputed));
    await index(toOrderItem(disputed));
    expect(counts(await search(shop.as, 'grace@example.com'))).toBe('1 1 1 0 1');
    // An erased order takes its buyer's terms with it, and nothing of the alert's own.
    await deleteItem({ Key: { pk: String(toOrderItem(disputed)['pk']), sk: String(toOrderItem(disputed)['sk']) } });
    await saveSearchEntries([{ before: toOrderItem(disputed), after: undefined }]);
    expect(counts(await search(shop.as, 'grace@example.com'))).toBe('0 0 0 0 0');
    expect(counts(await search(shop.as, String(alert.alertId)))).toBe('0 1 0 0 0');
  });

  it('follows a change of the address', async () => {
    const before = toOrderItem(order({ customer: { email: 'old@example.com' } }, { mid: shop.mid, sid: shop.sid }));
    const after = structuredClone(before);
    (after['content'] as { customer: { email: string } }).customer.email = 'new@example.com';
    await putItem(after);
    await index(before);
    await saveSearchEntries([{ before, after }]);
    expect(counts(await search(shop.as, 'old@example.com'))).toBe('0 0 0 0 0');
    expect(counts(await search(shop.as, 'new@example.com'))).toBe('1 0 0 0 1');
  });

  it('shows an order no longer than it is kept', async () => {
    setClock(() => Date.parse(now) + 600 * 86_400_000);
    expect(counts(await search(shop.as, 'ada@example.com'))).toBe('0 0 0 0 0');
  });

  it('says what it understood and what it did not', async () =>
    expect(await search(shop.as, 'ada@example.com amount:361.56 colour:red')).toMatchObject({
      ...{ understood: [{ filter: 'amount', value: '361.56' }], not_understood: ['colour:red'], orders: { n: 1 } },
    }));

  it('shows another merchant nothing, as though nothing existed', async () => {
    const [other, empty] = [await openShop(), await openShop()];
    await store(other, { customer: null, reference: 'own' });
    await indexAll();
    for (const text of ['ada@example.com', String(orderId), 'lovelace 424242 4242']) {
      expect(await search(other.as, text)).toEqual(await search(empty.as, text));
    }
    const { status } = await ask(searchOperation, { as: other.as, body: { text: 'ada', mid: shop.mid } });
    expect(status).toBe(404);
  });

  it('shows a key of other sites nothing, as though nothing existed', async () => {
    const { alert, site } = await putAlert(shop);
    expect(counts(await search({ mid: shop.mid, sites: [site.sid] }, String(alert.alertId)))).toBe('0 1 0 0 0');
    const elsewhere = { mid: shop.mid, sites: [site.sid] };
    expect(await search(elsewhere, 'ada@example.com')).toEqual(await search(elsewhere, 'nobody@example.com'));
  });

  it('masks a card number before it does anything with it', async () =>
    expect(counts(await search(shop.as, '4242 4242 4242 4242'))).toBe('1 0 0 0 1'));

  it('finds a buyer once, with all purchases', async () => {
    await store(shop, { reference: `R-${fresh()}` });
    await indexAll();
    expect((await search(shop.as, 'ada@example.com')).people.list).toMatchObject([{ purchases: 2 }]);
  });
});

it('finds a payment, and the alert and the chargeback about it, by the payer', async () => {
  const shop = await newShop();
  const { txid } = await pay(shop, '45.20', { card_ccv: '739', email: 'payer@example.com', reference: 'web-7005' });
  const chargebackId = await putChargeback({ mid: shop.mid, sid: shop.sid, connection: null, txid });
  const { alert } = await putAlert({ mid: shop.mid }, { card: '' });
  const hold = { alertId: alert.alertId, since: now, txid, txids: [], version: 1 };
  await putItem({ ...keys.disputeHold(alert.alertId), entity: 'HOLD', schemaVersion: 1, id: alert.alertId, hold });
  await indexAll();
  const found = await search(shop.as, 'payer@example.com');
  expect(found.payments.list).toMatchObject([{ txid, amount: '45.20', money_state: null, buyer: 'payer@example.com' }]);
  expect(found.alerts.list).toMatchObject([{ alert_id: alert.alertId }]);
  expect(found.chargebacks.list).toMatchObject([{ chargeback_id: chargebackId }]);
  expect(found.people.list).toMatchObject([{ email: 'payer@example.com', purchase_id: txid }]);
  const customer = { email: 'Payer@example.com', firstname: 'Pia', lastname: 'Payer' };
  const bought = toOrderItem(order({ reference: 'P-1', customer }, { mid: shop.mid, sid: shop.sid }));
  await putItem(bought);
  await index(bought);
  // An order has the name of the address.
  expect((await search(shop.as, 'payer@example.com')).payments.list).toMatchObject([{ txid, buyer: 'Pia Payer' }]);
  for (const text of ['45.20', '$45.2', 'web-7005', '7005', String(txid)]) {
    expect((await search(shop.as, text)).payments.list, text).toMatchObject([{ txid }]);
  }
});

it.each([1, 300])('makes two queries and one batch for %i rows with the same term', async (n) => {
  const shop = await openShop();
  for (let at = 0; at < n; at += 1) {
    const one = toOrderItem(order({ reference: `R-${at}` }, { mid: shop.mid, sid: shop.sid }));
    await putItem(one);
    await index(one);
  }
  let found: SearchReply | undefined;
  const calls = await callsDuring(async () => {
    found = await search(shop.as, 'ada@example.com');
  });
  expect(calls).toBe(3);
  expect(found?.orders).toMatchObject({ n: Math.min(n, 30), more: n > 30 });
});

it('finds rows of an earlier release once the merchant is indexed, and changes nothing when that is repeated', async () => {
  const shop = await newShop();
  const { txid } = await pay(shop, '45.20', { card_ccv: '739', email: 'early@example.com' });
  expect(counts(await search(shop.as, 'early@example.com'))).toBe('0 0 0 0 0');
  const progress = { items: 0 };
  await indexMerchant(shop.mid, progress);
  const entries = async () => (await allRows()).filter(({ entity }) => entity === 'SEARCH').length;
  const after = await entries();
  await indexMerchant(shop.mid, progress);
  expect(await entries()).toBe(after);
  expect((await search(shop.as, 'early@example.com')).payments.list).toMatchObject([{ txid }]);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { putItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { eraseOrdersOperation } from '#disputes/lookups/api/erase-orders/operation.ts';
import { type CustomerReply, customerDetailsOperation } from '#disputes/search/api/customer-details/operation.ts';
import { noteCustomerOperation } from '#disputes/search/api/note-customer/operation.ts';
import { saveSearchEntries } from '#disputes/search/search-entry-store.ts';
import { providerAlertOf } from '#test/disputes/alerts/samples.ts';
import { fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { now } from '#test/payments/orders/samples.ts';
import { allRows, openShop, type Shop, store } from '#test/payments/orders/shop.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';
import { useTable } from '#test/support/table.ts';

useTable();
useOperations();
useSandbox();

beforeEach(() => setClock(() => Date.parse(now)));
afterEach(() => setClock());

const indexAll = async () => saveSearchEntries((await allRows()).map((after) => ({ before: undefined, after })));
const customer = async (as: As, body: object): Promise<CustomerReply> => {
  const reply = await ask(customerDetailsOperation, { as, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as CustomerReply;
};

/** An alert that holds a payment. */
const alertAbout = async (mid: number, txid: number): Promise<number> => {
  const site = await seedSite({ mid });
  const alertId = 1_700_000_000_000_000 + fresh();
  await putItem(toAlertItem(createAlert(alertId, providerAlertOf(), now, { site, matchedDescriptor: 'SHOP' })));
  const hold = { alertId, since: now, txid, txids: [], version: 1 };
  await putItem({ ...keys.disputeHold(alertId), entity: 'HOLD', schemaVersion: 1, id: alertId, hold });
  return alertId;
};

describe('a customer', () => {
  let shop: Shop;
  let orderId: number;
  beforeEach(async () => {
    shop = await openShop();
    orderId = await store(shop, { reference: 'C-1' });
    await store(shop, { reference: 'C-2', order_date: '2026-03-30T08:15:00Z', arn: null, refunds: [], deliveries: [] });
    await store(shop, { reference: 'C-3', customer: { email: 'other@example.com' } });
    await indexAll();
  });

  it('has every purchase of the address, and says who else has the card and the connection', async () => {
    const found = await customer(shop.as, { purchase_id: orderId });
    expect(found).toMatchObject({
      ...{ email: 'ada@example.com', name: 'Ada Lovelace', account_id: 'ada-1', more: false, notes: [] },
      purchases: [
        {
          ...{ order_id: orderId, txid: null, reference: 'C-1', amount: '361.56', status: 'OK', money_state: null },
          ...{ delivered_at: '2026-05-01T11:00:00.000Z', signed_by: 'A Lovelace', ip: '203.0.113.7' },
          ...{ refunds: [{ amount: '5.00', currency: 'USD' }], items: ['Kettle', 'Tea'] },
        },
        { reference: 'C-2', delivered_at: null, refunds: [] },
      ],
      cards: [{ card: '424242******4242', purchases: 2, others: 1, more: false }],
      ips: [{ ip: '203.0.113.7', purchases: 2, others: 1, more: false }],
    });
  });

  it('does not exist for another merchant and for a key of other sites', async () => {
    const other = await openShop();
    const nothing = await ask(customerDetailsOperation, { as: other.as, body: { purchase_id: 1 } });
    expect(nothing.status).toBe(404);
    for (const as of [other.as, { mid: shop.mid, sites: [other.sid] }]) {
      const { status, body } = await ask(customerDetailsOperation, { as, body: { purchase_id: orderId } });
      expect({ status, body }).toMatchObject({ status: nothing.status, body: nothing.body });
    }
  });

  it('has notes until the customer’s data is erased', async () => {
    const body = { purchase_id: orderId, note: 'Called twice.' };
    const headers = { 'idempotency-key': 'n-1' };
    for (const _ of [1, 2]) expect((await ask(noteCustomerOperation, { as: shop.as, body, headers })).status).toBe(200);
    const notes = async () => (await customer(shop.as, { purchase_id: orderId })).notes;
    expect(await notes()).toMatchObject([{ text: 'Called twice.', by: `merchant-${shop.mid}` }]);
    expect((await ask(eraseOrdersOperation, { as: shop.as, body: { email: 'ada@example.com' } })).body).toMatchObject({
      erased: 2,
    });
    expect((await allRows()).filter(({ entity }) => entity === 'CUSTOMER_NOTE')).toEqual([]);
  });

  it('refuses a note about a purchase without an address or an account', async () => {
    const id = await store(shop, { reference: 'C-4', customer: null });
    const { status } = await ask(noteCustomerOperation, { as: shop.as, body: { purchase_id: id, note: 'Who?' } });
    expect(status).toBe(404);
    expect(await customer(shop.as, { purchase_id: id })).toMatchObject({
      email: null,
      purchases: [{ reference: 'C-4' }],
    });
  });
});

it('is found from an alert and a payment, and one purchase has its order and its payment', async () => {
  const shop = await newShop();
  const payer = { card_ccv: '739', email: 'payer@example.com' };
  const { txid } = await pay(shop, '45.20', payer);
  const second = await pay(shop, '12.00', payer);
  const alertId = await alertAbout(shop.mid, txid);
  await indexAll();
  const found = await customer({ mid: shop.mid }, { alert_id: alertId });
  expect(found).toMatchObject({ email: 'payer@example.com', alerts: [{ alert_id: alertId }] });
  expect(found.purchases.map(({ txid: one, amount }) => [one, amount]).toSorted()).toEqual(
    [
      [txid, '45.20'],
      [second.txid, '12.00'],
    ].toSorted(),
  );
  expect(await customer({ mid: shop.mid }, { purchase_id: txid })).toEqual(found);
});

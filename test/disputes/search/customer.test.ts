import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { putItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { Chargeback } from '#disputes/chargebacks/chargeback.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type CustomerReply, customerDetailsOperation } from '#disputes/search/api/customer-details/operation.ts';
import { customerForCaller } from '#disputes/search/customer-store.ts';
import { saveSearchEntries } from '#disputes/search/search-entry-store.ts';
import type { Order } from '#payments/orders/order.ts';
import { toOrderItem } from '#payments/orders/order-row.ts';
import { aProviderAlert } from '#test/disputes/alerts/samples.ts';
import { fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { now, order } from '#test/payments/orders/samples.ts';
import { allRows, openShop, rowsWith, type Shop, store } from '#test/payments/orders/shop.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';
import { putChargeback } from './seed.ts';

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

const noteOn = async (as: As, id: number, note: string) =>
  expect(
    (await ask('search/note-customer', { as, body: { purchase_id: id, note }, headers: { 'idempotency-key': note } }))
      .status,
  ).toBe(200);

/** An alert that holds a payment. */
const alertAbout = async (mid: number, txid: number, about: Partial<ProviderAlert> = {}): Promise<number> => {
  const site = await seedSite({ mid });
  const alertId = 1_700_000_000_000_000 + fresh();
  await putItem(toAlertItem(createAlert(alertId, aProviderAlert(about), now, { site, matchedDescriptor: 'SHOP' })));
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
    for (const _ of [1, 2])
      expect((await ask('search/note-customer', { as: shop.as, body, headers })).status).toBe(200);
    const notes = async () => (await customer(shop.as, { purchase_id: orderId })).notes;
    expect(await notes()).toMatchObject([{ text: 'Called twice.', by: `merchant-${shop.mid}` }]);
    expect((await ask('lookups/erase-orders', { as: shop.as, body: { email: 'ada@example.com' } })).body).toMatchObject(
      {
        erased: 2,
      },
    );
    expect((await allRows()).filter(({ entity }) => entity === 'CUSTOMER_NOTE')).toEqual([]);
  });

  it('refuses a note about a purchase without an address or an account', async () => {
    const id = await store(shop, { reference: 'C-4', customer: null });
    const { status } = await ask('search/note-customer', { as: shop.as, body: { purchase_id: id, note: 'Who?' } });
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

describe('the customer of an account without an e-mail address', () => {
  const account = '4242';
  it.each<[string, Partial<ProviderAlert>]>([
    ['card', { card: '555555xxxxxx4242' }],
    ['amount', { amount: '4242.00' }],
    ['ARN', { arn: '4242' }],
    ['case', { caseId: '4242' }],
    ['descriptor', { descriptor: 'SHOP 4242' }],
  ])('has no alert whose %s is spelt as the account', async (_, about) => {
    const shop = await openShop();
    const id = await store(shop, { customer: { account_id: account } });
    await alertAbout(shop.mid, 1, { card: '', arn: '', ...about });
    await indexAll();
    expect((await customer(shop.as, { purchase_id: id })).alerts).toEqual([]);
  });

  it.each<[string, Partial<Chargeback>]>([
    ['amount', { amount: '4242.00' }],
    ['reference', { reference: account }],
    ['payment', { paymentReference: account }],
  ])('has no chargeback whose %s is spelt as the account', async (_, about) => {
    const shop = await openShop();
    const id = await store(shop, { customer: { account_id: account } });
    await putChargeback({ mid: shop.mid, ...about });
    await indexAll();
    expect((await customer(shop.as, { purchase_id: id })).chargebacks).toEqual([]);
  });

  it('has the alert and the chargeback about one of their orders, and none about a stranger’s', async () => {
    const shop = await openShop();
    const dispute = async () => {
      const alertId = await alertAbout(shop.mid, 1, { card: '', arn: '' });
      const { id: chargebackId } = await putChargeback({ mid: shop.mid });
      const disputes = [
        { alertId, type: 'FRAUD' as const, at: now },
        { alertId: null, chargebackId, type: 'CHARGEBACK' as const, at: now },
      ];
      return { disputes, alertId, chargebackId };
    };
    const own = await dispute();
    const strangers = await dispute();
    const id = await store(shop, { reference: 'own', customer: { account_id: account } });
    const about = (change: Record<string, unknown>, disputes: Order['disputes']) =>
      putItem(toOrderItem(order(change, { mid: shop.mid, sid: shop.sid, disputes })));
    await about({ reference: 'second', customer: { account_id: account } }, own.disputes);
    await about({ reference: 'strangers', customer: { account_id: 'b' } }, strangers.disputes);
    await indexAll();
    expect(await customer(shop.as, { purchase_id: id })).toMatchObject({
      purchases: [{}, {}],
      alerts: [{ alert_id: own.alertId }],
      chargebacks: [{ chargeback_id: own.chargebackId }],
    });
  });
});

describe('the customer of a chargeback whose payment was taken elsewhere', () => {
  const orderOf = (email: string, reference: string) => ({
    ...{ reference: `R-${fresh()}`, processor: { connection: 'cn_1', reference }, customer: { email } },
  });
  const emailOf = async (shop: Shop, paymentReference: string) => {
    const { id } = await putChargeback({ mid: shop.mid, paymentReference });
    await indexAll();
    return (await customer(shop.as, { chargeback_id: id })).email;
  };

  it('is the one whose order has the processor’s reference', async () => {
    const shop = await openShop();
    await store(shop, orderOf('ada@example.com', 'ch_77'));
    expect(await emailOf(shop, 'ch_77')).toBe('ada@example.com');
  });

  it.each(['4242', '424242', '361.56', '387373', 'RM123456789GB', 'ada@example.com', 'SHOP*ONLINE', '582112345678901'])(
    'is unknown where an order only has the reference %s in another field',
    async (reference) => {
      const shop = await openShop();
      await store(shop);
      expect(await emailOf(shop, reference)).toBeNull();
    },
  );

  it('is unknown where two people have orders of that reference', async () => {
    const shop = await openShop();
    await store(shop, orderOf('ada@example.com', 'ch_77'));
    await store(shop, orderOf('bob@example.com', 'ch_77'));
    expect(await emailOf(shop, 'ch_77')).toBeNull();
  });
});

describe('a key that is limited to a site', () => {
  it('sees neither notes about purchases of other sites nor who bought there', async () => {
    const shop = await openShop();
    const { sid: second = 0 } = (
      await ask('merchants/create-site', { params: { mid: shop.mid, rid: shop.rid }, body: { name: 'Second' } })
    ).body as { sid?: number };
    const first = await store(shop, { reference: 'S-1' });
    await store(shop, { reference: 'S-2', customer: { email: 'bob@example.com' } });
    const own = await store({ ...shop, sid: second }, { reference: 'S-3', arn: null });
    await store({ ...shop, sid: second }, { reference: 'S-4', arn: null, customer: { email: 'eve@example.com' } });
    await indexAll();
    const limited = { mid: shop.mid, sites: [second] };
    await noteOn(shop.as, first, 'Of the first site.');
    await noteOn(limited, own, 'Of the second site.');
    expect(await customer(limited, { purchase_id: own })).toMatchObject({
      ...{ purchases: [{ reference: 'S-3' }], notes: [{ text: 'Of the second site.' }] },
      ...{ cards: [{ others: 1 }], ips: [{ others: 1 }] },
    });
    expect(await customer(shop.as, { purchase_id: own })).toMatchObject({
      ...{ notes: [{}, {}], cards: [{ others: 2 }], ips: [{ others: 2 }] },
    });
  });
});

it('is not told to a key by an alert or a chargeback that the key may not read', async () => {
  const shop = await newShop();
  const { txid } = await pay(shop, '45.20', { card_ccv: '739', email: 'payer@example.com' });
  const alertId = await alertAbout(shop.mid, txid);
  const { id: chargebackId } = await putChargeback({ mid: shop.mid, txid });
  await indexAll();
  const key = { sites: null, permissions: ['orders:read'] } as const;
  const caller: Caller = { scope: 'merchant', mid: shop.mid, subject: 'key', key };
  const subjects = [{ alert_id: alertId }, { chargeback_id: chargebackId }, { purchase_id: txid }];
  const nothing = [{ alert_id: alertId + 1 }, { chargeback_id: 'cb_none' }, { purchase_id: 1 }];
  for (const [at, subject] of subjects.entries()) {
    const missing = await customerForCaller(nothing[at] ?? {}, caller).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Refusal);
    await expect(customerForCaller(subject, caller)).rejects.toEqual(missing);
  }
});

describe('a note about a customer of an account, of whom another order has the address', () => {
  let shop: Shop;
  const openWith = async (...customers: object[]) => {
    shop = await openShop();
    const ids = [];
    for (const [at, one] of customers.entries()) {
      ids.push(await store(shop, { reference: `N-${at}`, arn: null, customer: one }));
    }
    await indexAll();
    return ids as [number, number, number];
  };
  const account = { account_id: 'acc-77' };
  const notesOf = async (id: number) => (await customer(shop.as, { purchase_id: id })).notes.map(({ text }) => text);

  it('is on the pages of all their orders', async () => {
    const [one, other] = await openWith(account, { ...account, email: 'ada@example.com' });
    await noteOn(shop.as, one, 'Called.');
    expect([await notesOf(one), await notesOf(other)]).toEqual([['Called.'], ['Called.']]);
  });

  it('stays when the address becomes known later', async () => {
    const [one] = await openWith(account);
    await noteOn(shop.as, one, 'Called.');
    await store(shop, { reference: 'late', arn: null, customer: { ...account, email: 'ada@example.com' } });
    await indexAll();
    expect(await notesOf(one)).toEqual(['Called.']);
  });

  it('stays when a newer order of the account has another address', async () => {
    const [one] = await openWith(account, { ...account, email: 'ada@example.com' });
    await noteOn(shop.as, one, 'Called.');
    const change = { order_date: '2026-05-01T08:15:00Z', deliveries: [], refunds: [], arn: null };
    await store(shop, { ...change, reference: 'new', customer: { ...account, email: 'new@example.com' } });
    await indexAll();
    expect(await notesOf(one)).toEqual(['Called.']);
  });

  it.each([account, { email: 'ada@example.com' }])('is erased with the orders of %o', async (body) => {
    const [one] = await openWith(account);
    await noteOn(shop.as, one, 'By account.');
    const other = await store(shop, {
      reference: 'other',
      arn: null,
      customer: { ...account, email: 'ada@example.com' },
    });
    await indexAll();
    await noteOn(shop.as, other, 'By address.');
    expect((await ask('lookups/erase-orders', { as: shop.as, body })).status).toBe(200);
    expect(await rowsWith('By account.', 'By address.')).toEqual([]);
  });
});

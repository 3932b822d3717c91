import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { matchOrder } from '#disputes/lookups/lookup/order-match.ts';
import type { Order } from '#payments/orders/order.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { readKnown, recordReversal } from '#payments/transactions/transaction/transaction-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import {
  newShop,
  okResult,
  orderBody,
  pay,
  preauth,
  type Result,
  testCards,
} from '#test/payments/transactions/shop.ts';
import { paymentAt, settleEverything, useSandbox } from '#test/payments/transactions/support.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';
import { sentOrder } from './samples.ts';
import { expectRefused, listEntities, rowsWith } from './shop.ts';

useOperations();
useSandbox();

let shop: Tenant;
beforeAll(async () => {
  shop = await newShop({}, { order_insights: true, oi_merchant_id: 'oi-payments' });
});
afterEach(() => setClock());

type Details = {
  order: Record<string, unknown> & { refunds?: unknown };
  payment: { captured: string; refunded: string; voided: boolean } & Record<string, unknown>;
  readiness: { ce3: string[] };
};
const readOrder = async (orderId: number): Promise<Details> => {
  const { status, body } = await ask('lookups/order-details', { as: shop.as, params: { id: orderId } });
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as Details;
};
const keptOrders = async (): Promise<Order[]> => (await readOrdersOfCard(shop.mid, '424242-4242')).orders;
const keptOrder = async (txid: number): Promise<Order | undefined> =>
  (await keptOrders()).find(({ orderId }) => orderId === txid);
const refund = (parent: number, amount: string) =>
  ask('refunds/processrefund', { as: shop.as, params: { parentxid: parent }, body: { amount, currency: 'USD' } });

const capture = async (txid: number, amount: string): Promise<Result> =>
  okResult(
    await ask('transactions/flagcapture', {
      params: { id: shop.sid },
      body: { parent_txid: txid, amount, hash: captureHash(shop.sid, amount, shop.rcode) },
    }),
  );

const customer = {
  reference: 'Order 7',
  device_info: {
    ...{ ip: '203.0.113.7', device_id: 'device-0123456789', device_fingerprint: 'fingerprint-0123456789abcdef' },
    ...{ account_id: 'ada-1', account_created_at: '2024-01-01T00:00:00Z' },
  },
};

describe('a payment of a merchant that keeps orders', () => {
  it('is an order that details, lists and look-ups know, with what its call said', async () => {
    const { txid } = await pay(shop, '10.00', {
      ...customer,
      dynamic_descriptor: 'SHOP*ONE',
      shipping_address: '1 Road',
    });
    const { order, payment, readiness } = await readOrder(txid);
    expect(order).toMatchObject({
      ...{ order_id: txid, source: 'payment', reference: 'Order 7', amount: '10.00', currency: 'USD' },
      ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA', descriptor: 'SHOP*ONE' },
      arn: expect.stringMatching(/^\d{23}$/),
      auth_code: expect.stringMatching(/^\d{6}$/),
      items: [{ name: 'Hosting', quantity: '1', amount_unit: '10.00' }],
      customer: { account_id: 'ada-1', email: 'jenny.rosen@example.com' },
      device: { device_id: 'device-0123456789', ip: '203.0.113.7' },
      shipping: { address: '1 Road' },
    });
    const { processorReference } = await paymentAt(txid);
    expect(payment).toEqual({
      ...{ txid, captured: '10.00', refunded: '0.00', voided: false },
      ...{ processor: 'sandbox', reference: processorReference },
    });
    expect(readiness.ce3).toEqual([]);
    const page = await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, reference: 'Order 7' } });
    expect(page.body).toMatchObject({
      list: [{ order_id: txid, source: 'payment', disputed: false, buyer: 'Jenny Rosen', items: ['Hosting'] }],
    });
    const orders = await keptOrders();
    const asked = { authCode: String(order['auth_code']), amount: '10.00', currency: 'USD' };
    expect(matchOrder(asked, orders, true)).toMatchObject({ order: { orderId: txid } });
    expect(await getItem(keys.orderArn(String(order['arn'])))).toBeDefined();
  });

  it('names its buyer and its items in the list of payments, also in the row of a refund, as far as a key may read them', async () => {
    const { txid } = await pay(shop, '17.00', { ...customer, reference: 'Listed' });
    await refund(txid, '2.00');
    const rowsFor = async (as: As) => {
      const { body } = await ask('transactions/list-transactions', { as, body: { txid } });
      return (body as { list: object[] }).list;
    };
    const named = { buyer: 'Jenny Rosen', items: ['Hosting'] };
    const payment = { status: 'OK', tx_action: 'PAYMENT', amount: '17.00', money_state: 'partly_refunded' };
    expect(await rowsFor(shop.as)).toMatchObject([
      { ...named, tx_action: 'REFUND', money_state: null, payment },
      { ...named, txid, money_state: 'partly_refunded', payment: null },
    ]);
    const items = async (may: 'orders:read' | 'payments:read') =>
      (await rowsFor({ mid: shop.mid, may: ['payments:read', may] })).map((row) => (row as typeof named).items);
    expect([await items('orders:read'), await items('payments:read')]).toEqual([
      [['Hosting'], ['Hosting']],
      [[], []],
    ]);
  });

  it('is known by the keyed digest of its card: two payments of one card are of one customer', async () => {
    const [one, other] = [await pay(shop, '11.00'), await pay(shop, '12.00')];
    const [first, second] = [await keptOrder(one.txid), await keptOrder(other.txid)];
    expect(first?.cardDigest).toMatch(/^[\da-f]{40}$/);
    expect(second?.cardDigest).toBe(first?.cardDigest);
  });

  it('leaves nothing where it is declined, before its processor is asked or by it', async () => {
    const before = await keptOrders();
    const declined = await pay(shop, '13.00', { card_no: testCards.declined });
    expect(declined.status).toBe('EXC');
    expect(await getItem(keys.orderPlace(declined.txid))).toBeUndefined();
    expect((await readOrdersOfCard(shop.mid, '400000-0002')).orders).toEqual([]);
    process.env['ALLOW_SANDBOX'] = 'false';
    const refused = await pay(shop, '13.50').finally(() => Object.assign(process.env, { ALLOW_SANDBOX: 'true' }));
    expect(refused).toMatchObject({ status: 'EXC', error_code: 'no_processor' });
    expect((await paymentAt(refused.txid)).order).toBeUndefined();
    expect((await keptOrders()).length).toBe(before.length);
  });

  it('is hidden until it is paid', async () => {
    const { txid, status } = await pay(shop, '10.61', { reference: 'Later' });
    expect(status).toBe('PEND');
    const unpaid = await keptOrder(txid);
    expect(unpaid?.state).toBe('unpaid');
    const asked = { amount: '10.61', currency: 'USD', date: unpaid?.content.transaction_date };
    expect(matchOrder(asked, unpaid ? [unpaid] : [], true)).toEqual({ found: 'none' });
    expectRefused(await ask('lookups/order-details', { as: shop.as, params: { id: txid } }), 404);
    await settleEverything();
    expect((await keptOrder(txid))?.state).toBe('paid');
    expect((await readOrder(txid)).payment.captured).toBe('10.61');
  });

  it('loses its order if it is not paid', async () => {
    const { txid, next_action } = await pay(shop, '10.63');
    expect(next_action?.type).toBe('redirect');
    await settleEverything();
    expect((await paymentAt(txid)).status).toBe('EXC');
    expect(await keptOrder(txid)).toBeUndefined();
  });

  it('shows captures, refunds and voids, and removes a refund that was returned', async () => {
    const { txid } = await preauth(shop, '20.00', { reference: 'Two steps' });
    expect((await readOrder(txid)).payment).toMatchObject({ captured: '0.00', voided: false });
    const captured = await capture(txid, '20.00');
    expect(captured.status).toBe('OK');
    expect((await readOrder(txid)).payment).toMatchObject({ captured: '20.00' });
    const { body } = await refund(txid, '5.00');
    const { payment, order } = await readOrder(txid);
    expect(payment.refunded).toBe('5.00');
    const refundTxid = (body as Result).txid;
    expect((await keptOrder(txid))?.ownRefunds).toEqual({
      [refundTxid]: { amount: '5.00', currency: 'USD', at: expect.any(String), reference: String(refundTxid) },
    });
    expect(order['reference']).toBe('Two steps');
    await recordReversal(await readKnown(await paymentAt(refundTxid)), 'card_declined', shop.rcode);
    expect((await readOrder(txid)).payment.refunded).toBe('0.00');
    expect((await keptOrder(txid))?.ownRefunds).toEqual({});
    const held = await preauth(shop, '21.00');
    await refund(held.txid, '21.00');
    expect((await readOrder(held.txid)).payment).toMatchObject({ captured: '0.00', voided: true });
  });

  it('is changed in what the payment could not know, and in nothing that it knew', async () => {
    const { txid } = await pay(shop, '14.00', { reference: 'Changing' });
    const params = { id: txid };
    expectRefused(await ask('orders/update-order', { as: shop.as, params, body: { amount: '1.00' } }), 400, 'amount');
    expectRefused(await ask('orders/update-order', { as: shop.as, params, body: { arn: '1'.repeat(23) } }), 400, 'arn');
    const deliveries = [{ type: 'physical', status: 'shipped' }];
    const { status } = await ask('orders/update-order', {
      as: shop.as,
      params,
      body: { deliveries, reference: 'Changed' },
    });
    expect(status).toBe(200);
    await refund(txid, '14.00');
    const { order, payment } = await readOrder(txid);
    expect([order['deliveries'], order['reference'], payment.refunded]).toEqual([deliveries, 'Changed', '14.00']);
    const found = async (reference: string) =>
      (
        (await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, reference } })).body as {
          list: unknown[];
        }
      ).list.length;
    expect([await found('Changed'), await found('Changing')]).toEqual([1, 0]);
  });

  it('has its reference first come, first served, and refuses none for it', async () => {
    const [one, other] = [
      await pay(shop, '15.00', { reference: 'Twice' }),
      await pay(shop, '16.00', { reference: 'Twice' }),
    ];
    expect([one.status, other.status]).toEqual(['OK', 'OK']);
    const page = await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, reference: 'Twice' } });
    expect(page.body).toMatchObject({ list: [{ order_id: one.txid }] });
    const sent = { sid: shop.sid, ...sentOrder({ reference: 'Twice' }) };
    expectRefused(await ask('orders/create-order', { as: shop.as, body: sent }), 409, String(one.txid));
    await ask('lookups/delete-order', { as: shop.as, params: { id: other.txid }, body: {} });
    expect(
      (await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, reference: 'Twice' } })).body,
    ).toMatchObject({
      list: [{ order_id: one.txid }],
    });
  });

  it('is erased with every row but those of the payment, which goes on without it', async () => {
    const email = 'grace.hopper@example.com';
    const { txid } = await pay(shop, '17.00', { email, reference: 'To be erased', firstname: 'Grace' });
    const arn = String((await readOrder(txid)).order['arn']);
    expect((await ask('lookups/erase-orders', { as: shop.as, body: { email } })).body).toMatchObject({
      erased: 1,
      more: false,
    });
    const left = (await rowsWith(email, 'Grace', arn)).filter(({ entity }) => String(entity).startsWith('ORDER'));
    expect(listEntities(left)).toEqual([]);
    const { status, body } = await refund(txid, '7.00');
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'OK' })]);
    expect(await keptOrder(txid)).toBeUndefined();
  });

  it('is paid although its order went before its answer came', async () => {
    const { txid } = await pay(shop, '18.61');
    const order = await keptOrder(txid);
    if (!order) throw new Error('It is kept while it is pending');
    await transact({
      row: { Delete: { Key: keys.order(shop.mid, '424242-4242', order.content.transaction_date, txid) } },
    });
    await settleEverything();
    expect((await paymentAt(txid)).status).toBe('OK');
    expect([await keptOrder(txid), await getItem(keys.orderPlace(txid))]).toEqual([undefined, undefined]);
  });
});

describe('a converted payment', () => {
  it('is an order in what is charged', async () => {
    await ask('pricing/set-rate', { body: { from: 'EUR', to: 'USD', rate: '1.10', source: 'a test' } });
    const body = orderBody(shop, '10.00', { currency: 'EUR', reference: 'Converted' });
    const { txid } = okResult(await ask('transactions/convertnpay', { params: { id: shop.sid }, body }));
    expect((await readOrder(txid)).order).toMatchObject({
      ...{ amount: '11.00', currency: 'USD', items: [{ name: 'Hosting', amount_unit: '11.00' }] },
    });
  });
});

describe('a payment of a merchant that keeps none', () => {
  it('leaves no order', async () => {
    const plain = await newShop();
    const { txid } = await pay(plain, '10.00', customer);
    expect(listEntities(await rowsWith(txid)).filter((entity) => /^ORDER(?!_CLAIM)/.test(entity))).toEqual([]);
    expect((await paymentAt(txid)).order).toBeUndefined();
  });
});

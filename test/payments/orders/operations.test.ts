import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { iso, milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, getItem, putItem, transact, updateItem } from '#core/platform/table/table.ts';
import type { OrderLookup } from '#disputes/lookups/lookup/lookup.ts';
import { newLookupWrite } from '#disputes/lookups/lookup/lookup-row.ts';
import { eraseCustomer } from '#disputes/lookups/order/erase-store.ts';
import { referenceKey } from '#payments/orders/order-reference-row.ts';
import { orderKey } from '#payments/orders/order-row.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { patiently } from '#test/support/wait-options.ts';
import { daysBefore, now, sentOrder } from './samples.ts';
import { allRows, expectRefused, listEntities, openShop, rowsWith, type Shop, store } from './shop.ts';

useOperations();

let shop: Shop;
beforeEach(async () => {
  setClock(() => Date.parse(now));
  shop = await openShop();
});
afterEach(() => setClock());

type Fields = Record<string, unknown>;
const details = async (id: number, { as }: Shop = shop) =>
  (await ask('lookups/order-details', { as, params: { id } })).body as Record<string, Fields>;
const update = (id: number, body: Fields, { as }: Shop = shop) =>
  ask('orders/update-order', { as, params: { id }, body });
const remove = (id: number, { as }: Shop = shop) => ask('lookups/delete-order', { as, params: { id } });
const list = async (body: Fields, { as }: Pick<Shop, 'as'> = shop) =>
  (await ask('lookups/list-orders', { as, body })).body as { list: { order_id: number }[]; totalResult: number };
const listIds = async (body: Fields, caller: Pick<Shop, 'as'> = shop) =>
  (await list(body, caller)).list.map(({ order_id: id }) => id);
/** Numbers and references of their own, so that tests do not meet. */
let counter = 0;
const unique = (): Fields => {
  counter += 1;
  return { reference: `reference-${counter}`, arn: String(counter).padStart(23, '7') };
};

describe('storing an order', () => {
  it('writes the order, its place, its reference and its ARN', async () => {
    const id = await store(shop, unique());
    expect(
      listEntities(await rowsWith(id, `reference-${counter}`, `ORDERARN#${String(counter).padStart(23, '7')}`)),
    ).toEqual(['ORDER', 'ORDERARN', 'ORDERPLACE', 'ORDERREF']);
    const until = Math.ceil(Date.parse('2026-04-30T08:15:00Z') / 1000) + 550 * 86_400;
    expect((await rowsWith(id)).map(({ ttl }) => ttl)).toEqual([until, until, until]);
  });

  it('answers the same order again, and refuses another of the same reference', async () => {
    const body: Fields = { sid: shop.sid, ...sentOrder(unique()) };
    const first = (await ask('orders/create-order', { as: shop.as, body })).body as Fields;
    expect(first).toEqual({ status: 'ok', order_id: expect.any(Number), created: true });
    expect((await ask('orders/create-order', { as: shop.as, body })).body).toEqual({ ...first, created: false });
    expectRefused(
      await ask('orders/create-order', { as: shop.as, body: { ...body, caid: '9' } }),
      409,
      'reference: order',
    );
  });

  it('lets one of many at once write it', async () => {
    const body: Fields = { sid: shop.sid, ...sentOrder(unique()) };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask('orders/create-order', { as: shop.as, body })),
    );
    expect(new Set(answers.map((answer) => (answer.body as Fields)['order_id'])).size).toBe(1);
    expect(answers.filter((answer) => (answer.body as Fields)['created']).length).toBe(1);
  });

  it('is refused for a merchant that keeps none, for others’ sites, and for what would be over at once', async () => {
    const plain = await openShop({ order_insights: false });
    expectRefused(
      await ask('orders/create-order', { as: plain.as, body: { sid: plain.sid, ...sentOrder(unique()) } }),
      409,
      'order_insights',
    );
    const foreign = await ask('orders/create-order', { as: plain.as, body: { sid: shop.sid, ...sentOrder(unique()) } });
    const unknown = await ask('orders/create-order', { as: plain.as, body: { sid: 999_999, ...sentOrder(unique()) } });
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    expect(foreign.status).toBe(404);
    expectRefused(
      await ask('orders/create-order', {
        as: shop.as,
        body: { sid: shop.sid, ...sentOrder({ ...unique(), order_date: daysBefore(551) }) },
      }),
      400,
      'transaction_date: is longer ago',
    );
  });

  it('names what is wrong, and stores nothing of it', async () => {
    const body = { sid: shop.sid, ...sentOrder(unique()), amount: '1.00', customer: { email: 'no' } };
    expectRefused(
      await ask('orders/create-order', { as: shop.as, body }),
      400,
      'customer.email: must be an e-mail address',
    );
    expectRefused(
      await ask('orders/create-order', { as: shop.as, body: { ...body, customer: {} } }),
      400,
      'amount: must be amount_subtotal',
    );
    expect(await rowsWith(`reference-${counter}`)).toEqual([]);
  });

  it('accepts a reference again when the order that had it is over', async () => {
    const body: Fields = { sid: shop.sid, ...sentOrder(unique()) };
    await ask('orders/create-order', { as: shop.as, body });
    const later = Date.parse(now) + 600 * milliseconds.day;
    setClock(() => later);
    const fresh = { ...body, order_date: iso(later), transaction_date: iso(later) };
    expect((await ask('orders/create-order', { as: shop.as, body: fresh })).body).toMatchObject({ created: true });
  });
});

describe('a batch', () => {
  it('keeps the first of several orders with one reference, however long its way to the table takes', async () => {
    const [one, two] = [sentOrder(unique()), sentOrder(unique())];
    const isStored = () => getItem(referenceKey(shop.sid, String(two['reference'])));
    beforeTransactions(async ({ TransactItems = [] }) => {
      const isFirst = TransactItems.some(({ Put }) => Put?.Item?.['content']?.caid === one['caid']);
      if (isFirst) await vi.waitUntil(isStored, patiently);
    });
    const orders = [one, { ...one, caid: '2' }, { ...two, caid: '3' }];
    const { body } = await ask('orders/create-orders', { as: shop.as, body: { sid: shop.sid, orders } });
    beforeTransactions();
    expect((body as { list: Fields[] }).list).toMatchObject([
      { order_id: expect.any(Number) },
      { error: 'order_reference_taken' },
      { order_id: expect.any(Number) },
    ]);
  });

  it('tells the fate of each entry in its place', async () => {
    const [one, two] = [sentOrder(unique()), sentOrder(unique())];
    const orders = [
      one,
      { ...two, amount: '1' },
      one,
      { ...one, caid: '2' },
      'no order',
      two,
      { ...two, reference: '4242424242424242' },
    ];
    const { body } = await ask('orders/create-orders', { as: shop.as, body: { sid: shop.sid, orders } });
    const answer = body as { list: Fields[] };
    expect(answer).toMatchObject({ status: 'ok', created: 2, unchanged: 1, failed: 4 });
    expect(answer.list.map(({ index, error }) => [index, error])).toEqual([
      [0, undefined],
      [1, 'request_invalid'],
      [2, undefined],
      [3, 'order_reference_taken'],
      [4, 'request_invalid'],
      [5, undefined],
      [6, 'request_invalid'],
    ]);
    expect(answer.list[1]?.['details']).toContain('amount: must be');
    expect(answer.list[0]?.['order_id']).toBe(answer.list[2]?.['order_id']);
  });

  it('takes a hundred at once, and not one more', async () => {
    const orders = Array.from({ length: 100 }, () => ({
      reference: unique()['reference'],
      order_date: '2026-04-30T00:00:00Z',
      amount: '1.00',
      currency: 'USD',
      card_firstsix: '411111',
      card_lastfour: '1111',
      card_type: 'VISA',
      items: [{ name: 'Tea', quantity: 1, amount_unit: '1.00' }],
    }));
    const answer = await ask('orders/create-orders', { as: shop.as, body: { sid: shop.sid, orders } });
    expect(answer.body).toMatchObject({ created: 100, failed: 0 });
    expectRefused(
      await ask('orders/create-orders', { as: shop.as, body: { sid: shop.sid, orders: [...orders, orders[0]] } }),
      400,
      'orders: must be a list of 1 to 100 orders',
    );
  });

  it('is refused as a whole where its site is', async () => {
    const plain = await openShop({ order_insights: false });
    expectRefused(await ask('orders/create-orders', { as: plain.as, body: { sid: plain.sid, orders: [{}] } }), 409);
    expectRefused(await ask('orders/create-orders', { as: plain.as, body: { sid: shop.sid, orders: [{}] } }), 404);
  });
});

describe('a change', () => {
  it('leaves what is absent, clears what is null, and shows in details', async () => {
    const id = await store(shop, unique());
    expect((await update(id, { caid: null, deliveries: [{ type: 'physical', status: 'in_transit' }] })).body).toEqual({
      status: 'ok',
      order_id: id,
    });
    const { order } = await details(id);
    expect(order).toMatchObject({
      reference: `reference-${counter}`,
      deliveries: [{ type: 'physical', status: 'in_transit' }],
    });
    expect(order).not.toHaveProperty('caid');
  });

  it('moves an order whose card or date changes, with its rows, and leaves none behind', async () => {
    const id = await store(shop, unique());
    const old = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    await update(id, {
      card_lastfour: '1881',
      transaction_date: '2026-04-29T00:00:00Z',
      arn: '11111111111111111111111',
    });
    const moved = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    expect(moved).toEqual({ pk: `ORDERS#${shop.mid}#424242-1881`, sk: `2026-04-29T00:00:00.000Z#${id}` });
    expect(await getItem(old)).toBeUndefined();
    expect(listEntities(await rowsWith(id))).toEqual(['ORDER', 'ORDERPLACE', 'ORDERREF']);
    expect(await rowsWith(String(counter).padStart(23, '7'))).toEqual([]);
    expect(listEntities(await rowsWith('ORDERARN#11111111111111111111111'))).toEqual(['ORDERARN']);
  });

  it('gives the order another reference, unless another order has it', async () => {
    const [one, two] = [unique(), unique()];
    const [id] = [await store(shop, one), await store(shop, two)];
    expectRefused(await update(id, { reference: two['reference'] }), 409, 'reference: another order');
    await update(id, { reference: 'NEW' });
    expect(await listIds({ sid: shop.sid, reference: 'NEW' })).toEqual([id]);
    expect(await listIds({ sid: shop.sid, reference: one['reference'] })).toEqual([]);
  });

  it('does not undo what sending the order again means', async () => {
    const body: Fields = { sid: shop.sid, ...sentOrder(unique()) };
    const id = await store(shop, body);
    await update(id, { caid: '77' });
    expect((await ask('orders/create-order', { as: shop.as, body })).body).toMatchObject({
      order_id: id,
      created: false,
    });
    expect((await ask('orders/create-order', { as: shop.as, body: { ...body, caid: '77' } })).body).toMatchObject({
      order_id: id,
      created: false,
    });
  });

  it('is checked with what was there before', async () => {
    const id = await store(shop, unique());
    expectRefused(await update(id, { amount_tax: '1.00' }), 400, 'amount: must be');
    expectRefused(await update(id, { items: null }), 400, 'items: ');
    expectRefused(await update(id, { links: { receipt: 'ftp://x' } }), 400, 'links.receipt: ');
    expectRefused(await update(id, { transaction_date: daysBefore(600) }), 400, 'transaction_date: ');
  });

  it('is repeated after a conflict, and refused after repeated conflicts', async () => {
    const id = await store(shop, unique());
    const key = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    const bump = () =>
      updateItem({
        Key: key,
        UpdateExpression: 'ADD #v :one',
        ExpressionAttributeNames: { '#v': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      });
    let times = 1;
    beforeTransactions(async () => void (times-- > 0 && (await bump())));
    expect((await update(id, { caid: '5' })).status).toBe(200);
    times = 99;
    expectRefused(await update(id, { caid: '6' }), 409);
    beforeTransactions();
    expect((await details(id))['order']).toMatchObject({ caid: '5' });
  });

  it('returns the same reply for other merchants’ orders as for unknown ones', async () => {
    const [id, other] = [await store(shop, unique()), await openShop()];
    for (const operation of [
      'orders/update-order',
      'lookups/delete-order',
      'lookups/order-details',
      'lookups/order-evidence',
    ]) {
      const [theirs, nobodys] = [
        await ask(operation, { as: other.as, params: { id }, body: {} }),
        await ask(operation, { as: other.as, params: { id: 12_345 }, body: {} }),
      ];
      expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body]);
      expect(theirs.status).toBe(404);
    }
  });
});

const lookup = (orderId: number, change: Partial<OrderLookup> = {}): OrderLookup => {
  counter += 1;
  return {
    name: `${'a'.repeat(40)}${counter}-2026-05-02`,
    provider: 'provider_b',
    at: now,
    channel: 'OIM',
    result: 'found',
    milliseconds: 12,
    card: { first6: '424242', last4: '4242' },
    amount: '361.56',
    currency: 'USD',
    date: '2026-04-30',
    mid: shop.mid,
    orderId,
    sid: shop.sid,
    reference: `reference-${counter}`,
    shown: ['purchase'],
    ce3: null,
    outcome: 'open',
    ...change,
  };
};
const looked = async (orderId: number, change: Partial<OrderLookup> = {}) => {
  const one = lookup(orderId, change);
  await transact({ row: newLookupWrite(one) });
  return one;
};

describe('deletion', () => {
  it('removes every row, and what look-ups know of the customer', async () => {
    const fields: Fields = {
      ...unique(),
      customer: { account_id: 'ACCOUNT-7', email: 'gone@example.com', lastname: 'GONE' },
    };
    const id = await store(shop, fields);
    await looked(id, { reference: String(fields['reference']) });
    expect((await remove(id)).body).toEqual({ status: 'ok' });
    expect(
      await rowsWith('GONE', 'gone@example.com', 'ACCOUNT-7', String(fields['arn']), `"${fields['reference']}"`),
    ).toEqual([]);
    const left = await rowsWith(id);
    expect(left.find(({ entity }) => entity === 'ORDERPLACE')).toEqual({
      ...keys.orderPlace(id),
      ...{ entity: 'ORDERPLACE', schemaVersion: 1, deleted: true, mid: shop.mid, ttl: expect.any(Number) },
    });
    const nothing = expect.objectContaining({ card: null, reference: null });
    expect(left.find(({ entity }) => entity === 'LOOKUP')).toMatchObject({ lookup: nothing, summary: nothing });
    expect(left.find(({ entity }) => entity === 'ORDERREF')).toEqual({
      ...referenceKey(shop.sid, String(fields['reference'])),
      ...{
        entity: 'ORDERREF',
        schemaVersion: 1,
        erased: true,
        id,
        digests: [],
        keptUntil: '',
        ttl: expect.any(Number),
      },
    });
    expect(left).toHaveLength(3);
  });

  it('is answered the same again, and the order is nowhere', async () => {
    const id = await store(shop, unique());
    await remove(id);
    expect((await remove(id)).body).toEqual({ status: 'ok' });
    expectRefused(await ask('lookups/order-details', { as: shop.as, params: { id } }), 404);
    expectRefused(await update(id, { caid: '1' }), 404);
    expect(await listIds({ sid: shop.sid })).not.toContain(id);
    expectRefused(await remove(id, await openShop()), 404);
  });

  it('leaves another merchant’s row of the same ARN alone', async () => {
    const [fields, other] = [unique(), await openShop()];
    const [mine, theirs] = [await store(shop, fields), await store(other, fields)];
    await remove(mine);
    const [row] = await rowsWith(`ORDERARN#${fields['arn']}`);
    expect(Object.keys(row ?? {})).toContain(`m${other.mid}`);
    expect(Object.keys(row ?? {})).not.toContain(`m${shop.mid}`);
    await remove(theirs, other);
    expect(await rowsWith(`ORDERARN#${fields['arn']}`)).toEqual([]);
  });

  it('takes what is over and not gone yet with it', async () => {
    const id = await store(shop, unique());
    const later = nowMilliseconds() + 600 * milliseconds.day;
    setClock(() => later);
    expectRefused(await ask('lookups/order-details', { as: shop.as, params: { id } }), 404);
    expect((await remove(id)).status).toBe(200);
    expect(listEntities(await rowsWith(id))).toEqual(['ORDERPLACE', 'ORDERREF']);
  });

  it('stops with a conflict where another writer changes it again and again', async () => {
    const id = await store(shop, unique());
    const key = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    beforeTransactions(() =>
      updateItem({
        Key: key,
        UpdateExpression: 'ADD #v :one',
        ExpressionAttributeNames: { '#v': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expectRefused(await remove(id), 409);
    beforeTransactions();
    expect((await details(id))['order']).toMatchObject({ order_id: id });
  });

  it('reaches every look-up, however many there were', async () => {
    const id = await store(shop, unique());
    await transact({ rows: Array.from({ length: 95 }, () => newLookupWrite(lookup(id))) });
    await remove(id);
    const rows = (await rowsWith(id)).filter(({ entity }) => entity === 'LOOKUP');
    expect([rows.length, rows.filter(({ lookup: one }) => (one as OrderLookup).card !== null)]).toEqual([95, []]);
  });
});

describe('erasure', () => {
  const of = (customer: Fields) => ({ ...unique(), customer });
  it('removes all orders of an account or an address, and no others', async () => {
    const mine = [
      await store(shop, of({ account_id: 'erase-me' })),
      await store(shop, of({ account_id: 'erase-me', email: 'a@example.com' })),
    ];
    const others = [
      await store(shop, of({ account_id: 'erase-me-not' })),
      await store(shop, of({ email: 'Erase@Example.com' })),
    ];
    for (const id of mine) await looked(id);
    expect((await ask('lookups/erase-orders', { as: shop.as, body: { account_id: 'erase-me' } })).body).toEqual({
      status: 'ok',
      erased: 2,
      authentications: 0,
      more: false,
    });
    expect(await listIds({ sid: shop.sid, order: 'ASC' })).toEqual(others);
    expect(
      (await ask('lookups/erase-orders', { as: 'admin', body: { mid: shop.mid, email: 'erase@example.com' } })).body,
    ).toMatchObject({ erased: 1 });
    for (const id of mine)
      expect(listEntities(await rowsWith(id)).filter((entity) => entity !== 'LOOKUP')).toEqual([
        'ORDERPLACE',
        'ORDERREF',
      ]);
    expect((await allRows()).filter((row) => JSON.stringify(row).toLowerCase().includes('erase@example.com'))).toEqual(
      [],
    );
  });

  it('removes the oldest first, and says whether to call again', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await store(shop, of({ account_id: 'many' })));
    const erase = () =>
      eraseCustomer({ account_id: 'many' }, { scope: 'merchant', mid: shop.mid, subject: 'somebody' }, 2);
    expect(await erase()).toMatchObject({ erased: 2, more: true });
    expect(await listIds({ account_id: 'many' })).toEqual(ids.slice(2));
    expect(await erase()).toMatchObject({ erased: 1, more: false });
    expect(await erase()).toMatchObject({ erased: 0, more: false });
  });

  it('needs one of the two, a merchant, and one’s own', async () => {
    expectRefused(await ask('lookups/erase-orders', { as: shop.as, body: {} }), 400, 'account_id: send it or email');
    expectRefused(
      await ask('lookups/erase-orders', { as: shop.as, body: { account_id: 'a', email: 'a@example.com' } }),
      400,
      'not both',
    );
    expectRefused(
      await ask('lookups/erase-orders', { as: 'admin', body: { account_id: 'a' } }),
      400,
      'mid: is required',
    );
    expectRefused(
      await ask('lookups/erase-orders', { as: (await openShop()).as, body: { mid: shop.mid, account_id: 'a' } }),
      404,
    );
  });

  it('says so where others change an order all the time', async () => {
    const id = await store(shop, of({ account_id: 'busy' }));
    const key = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    beforeTransactions(() =>
      updateItem({
        Key: key,
        UpdateExpression: 'ADD #v :one',
        ExpressionAttributeNames: { '#v': 'version' },
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    expectRefused(await ask('lookups/erase-orders', { as: shop.as, body: { account_id: 'busy' } }), 409);
  });
});

describe('the list', () => {
  it('is filtered by owner, account, reference, source, dispute and date', async () => {
    const one = await store(shop, {
      ...unique(),
      customer: { account_id: 'lister' },
      order_date: '2026-04-01T00:00:00Z',
    });
    const two = await store(shop, { ...unique(), order_date: '2026-04-20T00:00:00Z' });
    expect(await listIds({})).toEqual([two, one]);
    expect(await listIds({ mid: shop.mid, order: 'ASC' }, { as: 'admin' })).toEqual([one, two]);
    expect(await listIds({ rid: shop.rid })).toEqual([two, one]);
    expect(await listIds({ sid: shop.sid, date_from: '2026-04-10' })).toEqual([two]);
    expect(await listIds({ account_id: 'lister' })).toEqual([one]);
    expect(await listIds({ account_id: 'lister', source: 'merchant' })).toEqual([one]);
    expect(await listIds({ sid: shop.sid, reference: `reference-${counter}` })).toEqual([two]);
    expect(await listIds({ source: 'payment' })).toEqual([]);
    expect(await listIds({ sid: shop.sid, disputed: true })).toEqual([]);
    expect(await listIds({ sid: shop.sid, disputed: 'false', source: '' })).toEqual([two, one]);
    expect((await list({ sid: shop.sid })).list[0]).toMatchObject({
      card: '424242******4242',
      amount: '361.56',
      disputed: false,
    });
  });

  it('shows nothing that is over', async () => {
    await store(shop, unique());
    const later = nowMilliseconds() + 600 * milliseconds.day;
    setClock(() => later);
    expect(await listIds({})).toEqual([]);
  });

  it('refuses contradictory filters, and shows no other merchant’s orders', async () => {
    const other = await openShop();
    expectRefused(await ask('lookups/list-orders', { as: 'admin', body: {} }), 400, 'mid: name a merchant');
    expectRefused(
      await ask('lookups/list-orders', { as: shop.as, body: { reference: 'R' } }),
      400,
      'reference: requires sid',
    );
    expectRefused(
      await ask('lookups/list-orders', { as: shop.as, body: { account_id: 'a', sid: shop.sid } }),
      400,
      'account_id: requires mid',
    );
    expectRefused(await ask('lookups/list-orders', { as: other.as, body: { mid: shop.mid } }), 404);
    expectRefused(await ask('lookups/list-orders', { as: other.as, body: { mid: shop.mid, account_id: 'a' } }), 404);
    expectRefused(await ask('lookups/list-orders', { as: other.as, body: { rid: shop.rid } }), 404);
    expectRefused(await ask('lookups/list-orders', { as: other.as, body: { sid: shop.sid } }), 404);
  });
});

describe('details', () => {
  it('have payment, alerts, look-ups and readiness', async () => {
    const fields = unique();
    const id = await store(shop, fields);
    const { name } = await looked(id);
    expect(await details(id)).toMatchObject({
      order: {
        order_id: id,
        mid: shop.mid,
        source: 'merchant',
        disputed: false,
        amount: '361.56',
        customer: { account_id: 'ada-1' },
      },
      payment: null,
      alerts: [],
      lookups: [{ lookup_id: `provider_b#${name}`, result: 'found', outcome: 'open' }],
      readiness: {
        provider_a: ['logo_url', 'support_contact', 'refund_policy_url'].filter((field) => field !== 'support_contact'),
        ce3: [],
        ce3_result: 'too_few',
      },
    });
  });

  it('name the newest twenty look-ups', async () => {
    const id = await store(shop, unique());
    const minute = (n: number) => iso(Date.parse(now) + n * 60_000);
    const names: string[] = [];
    for (let n = 0; n < 21; n += 1) names.push((await looked(id, { at: minute(n) })).name);
    const newest = names.slice(1).reverse();
    expect((await details(id))['lookups']).toMatchObject(newest.map((name) => ({ lookup_id: `provider_b#${name}` })));
  });

  it('name the alerts about the order', async () => {
    const id = await store(shop, unique());
    const key = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    await updateItem({
      Key: key,
      UpdateExpression: 'SET #d.#a = :d',
      ExpressionAttributeNames: { '#d': 'disputes', '#a': '4711' },
      ExpressionAttributeValues: { ':d': { type: 'FRAUD', at: now } },
    });
    expect((await details(id))['alerts']).toEqual([{ alert_id: 4711, alert_type: 'FRAUD', at: now, status: null }]);
  });

  it('say whether the order would qualify as evidence; and evidence holds it', async () => {
    const atStripe = (days: number) => ({ processor: { connection: 'stripe', reference: `ch_${days}` } });
    const old = (days: number) => ({ ...unique(), ...atStripe(days), order_date: daysBefore(days), refunds: [] });
    for (const days of [150, 200]) await store(shop, old(days));
    const id = await store(shop, old(3));
    expect((await details(id))['readiness']).toMatchObject({ ce3_result: 'qualified' });
    const { body } = await ask('lookups/order-evidence', { as: shop.as, params: { id } });
    expect(body).toMatchObject({
      ce3: { qualified: true, reason: null, stripe: { disputed_transaction: { customer_purchase_ip: '203.0.113.7' } } },
      order: { order_id: id },
    });
  });
});

describe('the list of look-ups', () => {
  it('is filtered by merchant, site, provider, result and date', async () => {
    const id = await store(shop, unique());
    const one = await looked(id, { at: '2026-05-01T00:00:00.000Z' });
    const two = await looked(0, {
      orderId: null,
      sid: null,
      result: 'not_found',
      outcome: null,
      provider: 'provider_a',
    });
    const found = async (body: Fields, as: Shop['as'] = shop.as) =>
      ((await ask('lookups/list-lookups', { as, body })).body as { list: { lookup_id: string }[] }).list.map(
        ({ lookup_id: name }) => name.split('#')[1],
      );
    expect(await found({})).toEqual([two.name, one.name]);
    expect(await found({ sid: shop.sid })).toEqual([one.name]);
    expect(await found({ size: 1 })).toEqual([two.name]);
    expect(await found({ result: 'found' })).toEqual([one.name]);
    expect(await found({ provider: 'provider_a', result: ['not_found', 'multiple'] })).toEqual([two.name]);
    expect(await found({ sid: shop.sid, provider: 'provider_a' })).toEqual([]);
    expect(await found({ date_to: '2026-05-01' })).toEqual([one.name]);
    expect(await found({ date_from: '2026-05-02', size: 500 }, 'admin')).toContain(two.name);
    expect(await found({ result: 'not_found' }, 'admin')).toContain(two.name);
    // Two look-ups of one order name the same buyer.
    const again = await looked(id, { at: '2026-05-01T01:00:00.000Z' });
    const { list } = (await ask('lookups/list-lookups', { as: shop.as, body: { result: 'found' } })).body as {
      list: { lookup_id: string; buyer: string | null; items: string[] }[];
    };
    expect(list.map(({ lookup_id: name }) => name.split('#')[1])).toEqual([again.name, one.name]);
    expect(new Set(list.map(({ buyer, items }) => JSON.stringify([buyer, items]))).size).toBe(1);
    expect(list[0]?.items).not.toEqual([]);
    const other = await openShop();
    expectRefused(await ask('lookups/list-lookups', { as: other.as, body: { mid: shop.mid } }), 404);
    expectRefused(await ask('lookups/list-lookups', { as: other.as, body: { sid: shop.sid } }), 404);
  });
});

describe('the profile of a shop', () => {
  const set = (body: Fields, { as, sid }: Shop = shop) =>
    ask('orders/set-order-profile', { as, params: { sid }, body });
  const shown = async () =>
    (await ask('orders/order-profile-details', { as: shop.as, params: { sid: shop.sid } })).body;

  it('is the first one again for a site without a stored profile', async () => {
    const first = await shown();
    await deleteItem({ Key: keys.orderProfile(shop.sid) });
    expect(await shown()).toEqual(first);
    await set({ display_name: 'New Name' });
    expect(await shown()).toEqual({ ...Object(first), display_name: 'New Name' });
  });

  it('begins with the name of the site, changes in part, and goes onto orders as it is then', async () => {
    const rest = { logo_type: null, order_source: null };
    expect(await shown()).toEqual({ display_name: 'Shop Online', retain_days: 550, ...rest });
    const id = await store(shop, unique());
    await set({
      display_name: 'New Name',
      logo_url: 'https://shop.example/l.png',
      address: { suburb_city: 'London', country: 'gb' },
      geo: { latitude: 51.5, longitude: -0.1 },
      retain_days: 700,
    });
    await set({ logo_url: null });
    expect(await shown()).toEqual({
      display_name: 'New Name',
      address: { suburb_city: 'London', country: 'GB' },
      geo: { latitude: 51.5, longitude: -0.1 },
      retain_days: 700,
      ...rest,
    });
    expect([
      (await getOrder(id))?.profile.display_name,
      (await getOrder(await store(shop, unique())))?.profile.display_name,
    ]).toEqual(['Shop Online', 'New Name']);
    expect((await getOrder(await store(shop, unique())))?.retainDays).toBe(700);
  });

  it('is refused where it is too large, wrong, another’s or not wanted', async () => {
    const long = 'é'.repeat(250);
    expectRefused(
      await set({
        refund_policy: long,
        logo_url: `https://shop.example/${'l'.repeat(170)}`,
        terms_url: `https://shop.example/${'l'.repeat(170)}`,
        refund_policy_url: `https://shop.example/${'l'.repeat(170)}`,
      }),
      400,
      'profile: has ',
    );
    expectRefused(await set({ geo: { latitude: 91, longitude: 0 } }), 400, 'geo.latitude: must be at most 90');
    expectRefused(await set({ retain_days: 29 }), 400, 'retain_days: must be at least 30');
    expectRefused(await set({ retain_days: 1101 }), 400, 'retain_days: must be at most 1100');
    for (const retain_days of [30, 1100]) expect((await set({ retain_days })).body).toMatchObject({ retain_days });
    expectRefused(await set({ logo_url: 'https://127.0.0.1/x' }), 400, 'logo_url: ');
    const other = await openShop({ order_insights: false });
    expectRefused(await set({}, other), 409);
    expectRefused(await set({}, { ...other, sid: shop.sid }), 404);
    expectRefused(await ask('orders/order-profile-details', { as: other.as, params: { sid: other.sid } }), 409);
    expectRefused(await ask('orders/order-profile-details', { as: other.as, params: { sid: shop.sid } }), 404);
  });

  it('has what only letters to banks show, which no order keeps', async () => {
    const pngOf = (width: number) => {
      const head = Buffer.alloc(33);
      head.write('89504e470d0a1a0a0000000d49484452', 'hex');
      head.writeUInt32BE(width, 16);
      return head.toString('base64');
    };
    const letters = { checkout_terms: 'A box is ticked.', delivery_terms: 'Within five days.' };
    expect(await set({ ...letters, logo: pngOf(1000) })).toMatchObject({
      status: 200,
      body: { ...letters, logo_type: 'image/png' },
    });
    expect(JSON.stringify((await getOrder(await store(shop, unique())))?.profile)).not.toContain('ticked');
    await set({ checkout_terms: null, display_name: 'Shop' });
    expect(await shown()).toMatchObject({ delivery_terms: 'Within five days.', logo_type: 'image/png' });
    expect(await shown()).not.toHaveProperty('checkout_terms');
    for (const [logo, words] of [
      ['not base64!', 'must be base64'],
      ['', 'must be base64'],
      [Buffer.from('P').toString('base64'), 'must be a PNG or JPEG'],
      [Buffer.from('GIF89a').toString('base64'), 'must be a PNG or JPEG'],
      [Buffer.alloc(32 * 1024 + 1, 1).toString('base64'), 'must have at most 32 KB'],
      [pngOf(1001), 'must have at most 1000 × 1000 pixels'],
    ] as const)
      expectRefused(await set({ logo }), 400, `logo: ${words}`);
    await set({ logo: null });
    expect(await shown()).toMatchObject({ logo_type: null });
  });

  it('names the source of its orders until it is removed', async () => {
    const keys = { consumer_key: `ck_${'0'.repeat(40)}`, consumer_secret: `cs_${'1'.repeat(40)}` };
    const source = { kind: 'woocommerce', base_url: 'https://shop.example' };
    await set({ order_source: { ...source, ...keys } });
    expect(await shown()).toMatchObject({ order_source: { ...source, consumer_key: '…0000', imported: 0 } });
    await set({ order_source: null });
    expect(await shown()).toMatchObject({ order_source: null });
  });

  it('is changed again after a conflict, and refused after repeated conflicts', async () => {
    const answers = await Promise.all([
      set({ display_name: 'A' }),
      set({ support_phone: '+1 555 0100' }),
      set({ refund_policy: 'Ask.' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    beforeTransactions(async (transaction) => {
      const profile = transaction.TransactItems?.[0]?.Put?.Item;
      if (profile?.['entity'] === 'ORDER_PROFILE')
        await putItem({ ...profile, version: Number(profile['version']) + 7 });
    });
    expectRefused(await set({ display_name: 'B' }), 409);
    beforeTransactions();
    expect(await shown()).toMatchObject({
      display_name: 'B',
      support_phone: '+1 555 0100',
      refund_policy: 'Ask.',
      retain_days: 550,
    });
  });
});

describe('what was declared is what was done, by', () => {
  it.each([
    'orders/create-order',
    'orders/create-orders',
    'orders/update-order',
    'lookups/delete-order',
    'lookups/erase-orders',
    'lookups/list-orders',
    'lookups/list-lookups',
    'lookups/order-details',
    'lookups/order-evidence',
    'orders/order-profile-details',
    'orders/set-order-profile',
  ])('%s', (name) => expectDeclared(name));
});

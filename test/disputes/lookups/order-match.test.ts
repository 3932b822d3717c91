import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchOrder, type OrderQuery, ratePoints } from '#disputes/lookups/lookup/order-match.ts';
import type { Order } from '#payments/orders/order.ts';
import { order } from '#test/payments/orders/samples.ts';

const usual: OrderQuery = {
  amount: '361.56',
  currency: 'USD',
  date: '2026-04-30T20:00:00.000Z',
  descriptor: 'shop*online  123',
  caid: '1231231',
};
const bare = { arn: null, auth_code: null, network_transaction_id: null } as const;
const found = (asked: OrderQuery, orders: readonly Order[], isWhole = true) => {
  const match = matchOrder(asked, orders, isWhole);
  return match.found === 'one' ? [match.order.orderId, match.by] : match.found;
};

describe('points', () => {
  it.each([
    ['the same amount and day', { descriptor: undefined, caid: undefined }, 70],
    ['… and the same text', { caid: undefined }, 90],
    ['… and the same acceptor', {}, 100],
    ['… text that begins alike', { descriptor: 'SHOP*ONTHERUN', caid: undefined }, 80],
    ['… text that begins otherwise', { descriptor: 'SHOPPING', caid: undefined }, 70],
    ['a day apart', { date: '2026-05-01T00:00:00.000Z' }, 90],
    ['two days apart', { date: '2026-04-28T23:59:59.000Z' }, 75],
    ['four days apart', { date: '2026-05-04' }, 75],
    ['without a date', { date: undefined }, 0],
    ['without an amount', { amount: undefined }, 0],
    ['without a currency', { currency: undefined }, 0],
    ['another amount', { amount: '361.57' }, 0],
    ['an amount that is none', { amount: '361,56' }, 0],
  ])('%s', (_, change, points) => expect(ratePoints({ ...usual, ...change }, order(bare))).toBe(points));
});

describe('an order is found', () => {
  const one = order();
  const other = order({
    reference: 'A-2',
    arn: '24692161070000622606999',
    auth_code: '111112',
    network_transaction_id: 'MDS0001',
  });

  it.each<[string, OrderQuery, (number | string)[] | string]>([
    ['by its ARN', { arn: '24692161070000622606414' }, [one.orderId, 'arn']],
    [
      'by its ARN whatever its amount',
      { ...usual, arn: '24692161070000622606414', amount: '1.00' },
      [one.orderId, 'arn'],
    ],
    ['by the network’s number', { networkTransactionId: '582112345678901' }, [one.orderId, 'network']],
    ['by code and amount', { ...usual, authCode: '387373' }, [one.orderId, 'auth_code']],
    ['by a code in other letters', { ...usual, networkTransactionId: 'mds0001' }, [other.orderId, 'network']],
    ['not by a code alone', { authCode: '387373' }, 'none'],
    ['not if another ARN is asked', { ...usual, arn: '24692161070000622606422' }, 'none'],
    ['not if another code is asked', { ...usual, authCode: '999998' }, 'none'],
    ['not if another currency is asked', { ...usual, currency: 'EUR' }, 'none'],
    ['not five days apart', { ...usual, arn: '24692161070000622606414', date: '2026-05-05' }, 'none'],
    ['as several where two are alike', usual, 'many'],
  ])('%s', (_, asked, expected) => expect(found(asked, [one, other])).toEqual(expected));

  it.each([
    ['012345', '12345', 'auth_code'],
    ['00AB12', 'ab12', 'auth_code'],
    ['000000', '000000', 'points'],
    ['387373', '000000', 'points'],
    ['N/A', '387373', 'points'],
  ])('with the code %s where %s is asked by %s', (auth_code, authCode, by) => {
    const coded = order({ ...bare, auth_code });
    expect(found({ ...usual, authCode }, [coded])).toEqual([coded.orderId, by]);
  });

  it.each(['0', '9'])('not by an ARN of %s alone', (digit) => {
    const filler = digit.repeat(23);
    expect(found({ arn: filler }, [order({ ...bare, arn: filler })])).toBe('none');
    expect(found({ ...usual, arn: filler }, [one])).toEqual([one.orderId, 'points']);
  });

  it('by points only where nothing comes near', () => {
    const [near, far] = [order(bare), order({ ...bare, amount: '20.00', amount_subtotal: null })];
    expect(found(usual, [near, far])).toEqual([near.orderId, 'points']);
    expect(found(usual, [near, order({ ...bare, order_date: '2026-04-28T08:15:00Z' })])).toEqual('many');
    expect(found({ ...usual, descriptor: undefined, caid: undefined }, [near])).toEqual([near.orderId, 'points']);
    expect(found({ ...usual, descriptor: undefined, caid: undefined, date: '2026-05-01' }, [near])).toBe('none');
  });

  it('never by points where only part of the orders was read', () => {
    expect(found(usual, [order(bare)], false)).toBe('many');
    expect(found({ ...usual, authCode: '387373' }, [one], false)).toBe('many');
    expect(found({ arn: '24692161070000622606414' }, [one], false)).toEqual([one.orderId, 'arn']);
  });

  it('as several where one number is that of two', () =>
    expect(found({ arn: '24692161070000622606414' }, [one, order()])).toBe('many'));
  it('not before it is paid', () => expect(found(usual, [order({}, { state: 'unpaid' })])).toBe('none'));
});

const some = <T>(...values: T[]) => fc.constantFrom<T | undefined>(undefined, ...values);
const anyOrder = fc
  .record({
    arn: some('24692161070000622606414', '24692161070000622606999'),
    auth_code: some('387373', '387374'),
    network_transaction_id: some('T1', 'T2'),
    amount: fc.constantFrom('10.00', '20.00'),
    order_date: fc.constantFrom('2026-04-28T08:00:00Z', '2026-04-30T08:00:00Z', '2026-05-03T08:00:00Z'),
    descriptor: some('SHOP*ONE', 'SHOP*TWO'),
  })
  .map((fields) =>
    order({ ...fields, amount_subtotal: null, amount_shipping: null, amount_tax: null, amount_coupon: null }),
  );
const anyAsked = fc.record({
  arn: some('24692161070000622606414', '24692161070000622606999'),
  authCode: some('387373', '387374'),
  networkTransactionId: some('T1', 'T2'),
  amount: some('10.00', '20.00'),
  currency: some('USD', 'EUR'),
  date: some('2026-04-30', '2026-05-02'),
  descriptor: some('SHOP*ONE'),
});

describe('whatever is asked', () => {
  it('no answer contradicts it', () => {
    fc.assert(
      fc.property(fc.array(anyOrder, { maxLength: 6 }), anyAsked, fc.boolean(), (orders, asked, isWhole) => {
        const match = matchOrder(asked, orders, isWhole);
        if (match.found !== 'one') return;
        const { content } = match.order;
        const agrees = (one: string | undefined, other: string | undefined) =>
          one === undefined || other === undefined || one === other;
        expect(agrees(asked.arn, content.arn)).toBe(true);
        expect(agrees(asked.networkTransactionId, content.network_transaction_id)).toBe(true);
        expect(agrees(asked.authCode, content.auth_code)).toBe(true);
        expect(agrees(asked.currency, content.currency)).toBe(true);
      }),
    );
  });

  it('a second order that is alike never leaves one of them found by points', () => {
    fc.assert(
      fc.property(anyOrder, anyAsked, (one, asked) => {
        const twin = { ...one, orderId: one.orderId + 1 };
        expect(matchOrder(asked, [one, twin], true).found).not.toBe('one');
      }),
    );
  });

  it('does not depend on the order in which they were read', () => {
    fc.assert(
      fc.property(fc.array(anyOrder, { maxLength: 5 }), anyAsked, (orders, asked) => {
        expect(found(asked, orders)).toEqual(found(asked, [...orders].reverse()));
      }),
    );
  });
});

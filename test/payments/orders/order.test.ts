import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import {
  changedOrderFields,
  contentDigest,
  fixedProblems,
  isClean,
  isFullyRefunded,
  orderContent,
  orderMoneyState,
  orderRefunds,
  subtotalMinor,
} from '#payments/orders/order.ts';
import { toBuyerFields } from '#payments/orders/order-dto.ts';
import { OrderChanges, OrderFields } from '#payments/orders/schemas.ts';
import { content, now, order, sentOrder } from './samples.ts';

/** Returns the problems of a sent order, field by field; empty if there are none. */
const wrong = (change: Record<string, unknown>): string[] => {
  const parsed = v.safeParse(OrderFields, sentOrder(change), { abortPipeEarly: true });
  if (!parsed.success) return parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  const read = orderContent(parsed.output, now);
  return Array.isArray(read) ? read : [];
};

const refunded = (amount: string, at = '2026-05-01T00:00:00Z') => ({ amount, currency: 'USD', at });

describe('an order as it is sent', () => {
  it('may have refunds up to its amount, dates until tomorrow, and a bill that is due next year', () => {
    expect(wrong({ refunds: [refunded('361.00'), refunded('0.56')] })).toEqual([]);
    expect(wrong({ order_date: '2026-05-03T09:00:00Z' })).toEqual([]);
    expect(wrong({ subscription: { interval: 'year', next_billing_at: '2027-05-01T00:00:00Z' } })).toEqual([]);
  });

  it('may be refunded up to what was charged, where that is more than its amount', () => {
    const charges = [
      { amount: '400.00', at: '2026-04-30T10:00:00Z' },
      { amount: '5', card_firstsix: '555555' },
    ];
    expect(wrong({ charges, refunds: [refunded('405.00')] })).toEqual([]);
    expect(wrong({ charges, refunds: [refunded('405.01')] })).toEqual([expect.stringContaining('refunds')]);
    expect(content({ charges }).charges).toMatchObject([{ amount: '400.00' }, { amount: '5.00' }]);
  });

  it('may be dated a day ahead to the millisecond, and no later', () => {
    const tomorrow = Date.parse(now) + milliseconds.day;
    expect(wrong({ order_date: iso(tomorrow) })).toEqual([]);
    expect(wrong({ order_date: iso(tomorrow + 1) })).toContain('order_date: must not be more than a day ahead');
  });

  it('is kept with one spelling of an IPv6 address', () => {
    expect(content({ device: { ip: '2001:0DB8:0:0::1' } }).device).toMatchObject({ ip: '2001:db8::1' });
  });

  it('is kept with canonical amounts, times in UTC, and its order date as the default of its transaction', () => {
    const kept = content({
      amount: '361.56',
      order_date: '2026-04-30T10:15:00+02:00',
      items: [{ name: 'Tea', quantity: 1, amount_unit: '3' }],
    });
    expect(kept.items[0]).toEqual({ name: 'Tea', quantity: '1', amount_unit: '3.00' });
    expect([kept.order_date, kept.transaction_date]).toEqual(['2026-04-30T08:15:00.000Z', '2026-04-30T08:15:00.000Z']);
  });

  it.each([
    ['a whole card number as reference', { reference: '4242424242424242' }, 'reference'],
    [
      'one among words',
      { items: [{ name: 'Paid by 4242 4242 4242 4242', quantity: 1, amount_unit: '1' }] },
      'items.0.name',
    ],
    ['one as token', { card_token: '5555555555554444' }, 'card_token'],
    ['one in a link', { links: { order: 'https://shop.example/4242424242424242' } }, 'links.order'],
    ['one in an e-mail', { customer: { email: '4242424242424242@example.com' } }, 'customer.email'],
    [
      'one in a delivery',
      { deliveries: [{ type: 'physical', status: 'shipped', signed_by: '378282246310005' }] },
      'deliveries.0.signed_by',
    ],
    ['one as phone', { customer: { phone: '4242424242424242' } }, 'customer.phone'],
    [
      'the card itself as a network reference',
      { network_transaction_id: '4242424242424242' },
      'network_transaction_id',
    ],
    ['more than six digits of the card', { card_firstsix: '42424242' }, 'card_firstsix'],
    ['charges to other cards alone', { charges: [{ amount: '1', card_lastfour: '0000' }] }, 'charges'],
    ['a charge of nothing', { charges: [{ amount: '0.00' }] }, 'charges.0.amount'],
    ['a charge with too many decimals', { charges: [{ amount: '1.005' }] }, 'charges.0.amount'],
    [
      'a refund of a charge that it has not',
      { charges: [{ amount: '1', reference: 'a' }], refunds: [{ ...refunded('1.00'), charge: 'b' }] },
      'refunds.0.charge',
    ],
    ['refunds above the amount', { refunds: [refunded('361.00'), refunded('0.57')] }, 'refunds'],
    ['an order of next week', { order_date: '2026-05-09T10:00:00Z' }, 'order_date'],
    ['a transaction of the year 9999', { transaction_date: '9999-12-31T00:00:00Z' }, 'transaction_date'],
    ['a refund of next year', { refunds: [refunded('1.00', '2027-05-01T00:00:00Z')] }, 'refunds.0.at'],
    [
      'a delivery of next week',
      { deliveries: [{ type: 'physical', status: 'shipped', shipped_at: '2026-05-09T10:00:00Z' }] },
      'deliveries.0.shipped_at',
    ],
    [
      'a bill in a century',
      { subscription: { interval: 'month', next_billing_at: '2126-05-09T10:00:00Z' } },
      'subscription.next_billing_at',
    ],
    ['an amount with too many decimals', { amount: '361.567' }, 'amount'],
    ['an amount in another spelling', { amount: '1e3' }, 'amount'],
    ['no amount', { amount: '0.00', amount_subtotal: null }, 'amount'],
    ['parts that do not add up', { amount_tax: '14.57' }, 'amount'],
    ['a coupon above the rest', { amount_coupon: '500.00' }, 'amount'],
    ['a currency that does not exist', { currency: 'XXZ' }, 'currency'],
    [
      'a unit amount with too many decimals',
      { items: [{ name: 'Tea', quantity: 1, amount_unit: '1.234' }] },
      'items.0.amount_unit',
    ],
    [
      'a refund with too many decimals',
      { refunds: [{ amount: '1.5', currency: 'JPY', at: '2026-05-01T00:00:00Z' }] },
      'refunds.0.amount',
    ],
    ['no items', { items: [] }, 'items'],
    [
      'too many items',
      { items: Array.from({ length: 201 }, () => ({ name: 'T', quantity: 1, amount_unit: '1' })) },
      'items',
    ],
    ['an item of no quantity', { items: [{ name: 'Tea', quantity: 0, amount_unit: '1' }] }, 'items.0.quantity'],
    ['a link without https', { links: { receipt: 'http://shop.example/1' } }, 'links.receipt'],
    ['a link into a private network', { links: { receipt: 'https://10.0.0.1/1' } }, 'links.receipt'],
    ['a link with a password', { links: { receipt: 'https://me:secret@shop.example/1' } }, 'links.receipt'],
    ['a date without a zone', { order_date: '2026-04-30T08:15:00' }, 'order_date'],
    ['an ARN of 22 digits', { arn: '2469216107000062260641' }, 'arn'],
    ['an IP that is none', { device: { ip: '300.1.1.1' } }, 'device.ip'],
    ['a delivery of no known state', { deliveries: [{ type: 'physical', status: 'lost' }] }, 'deliveries.0.status'],
    ['a country that does not exist', { shipping: { country: 'XX' } }, 'shipping.country'],
  ])('is refused with %s', (_, change, field) => {
    expect(wrong(change)[0]).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}: `));
  });

  const items = (count: number, change = {}) =>
    Array.from({ length: count }, () => ({ name: 'T', quantity: 1, amount_unit: '1', ...change }));
  const deliveries = (count: number) => Array.from({ length: count }, () => ({ type: 'pickup', status: 'pickup' }));
  const refunds = (count: number) =>
    Array.from({ length: count }, () => ({ amount: '0.01', currency: 'USD', at: '2026-05-01T00:00:00Z' }));
  const text = (length: number) => 'x'.repeat(length);
  it.each<[string, number, (length: number) => Record<string, unknown>]>([
    ['reference', 65, (length) => ({ reference: text(length) })],
    ['card_token', 64, (length) => ({ card_token: text(length) })],
    ['auth_code', 6, (length) => ({ auth_code: text(length) })],
    ['network_transaction_id', 30, (length) => ({ network_transaction_id: text(length) })],
    ['descriptor', 25, (length) => ({ descriptor: text(length) })],
    ['caid', 15, (length) => ({ caid: text(length) })],
    ['items.0.unit', 20, (length) => ({ items: items(1, { unit: text(length) }) })],
    ['items.0.description', 500, (length) => ({ items: items(1, { description: text(length) }) })],
    ['customer.account_id', 65, (length) => ({ customer: { account_id: text(length) } })],
    ['device.device_id', 64, (length) => ({ device: { device_id: text(length) } })],
    ['device.device_fingerprint', 200, (length) => ({ device: { device_fingerprint: text(length) } })],
    ['items', 200, (length) => ({ items: items(length) })],
    ['deliveries', 20, (length) => ({ deliveries: deliveries(length) })],
    ['refunds', 50, (length) => ({ refunds: refunds(length) })],
  ])('has at most so much as %s: %i', (field, most, change) => {
    expect(wrong(change(most))).toEqual([]);
    expect(wrong(change(most + 1))[0]).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}: `));
  });

  it.each(['reference', 'order_date', 'amount', 'currency', 'card_firstsix', 'card_lastfour', 'card_type', 'items'])(
    'is refused without %s',
    (field) => expect(wrong({ [field]: undefined })[0]).toMatch(new RegExp(`^${field}: `)),
  );

  it('needs nothing else', () => {
    const required = ['reference', 'order_date', 'amount', 'currency', 'card_firstsix', 'card_lastfour', 'card_type'];
    const others = Object.keys(sentOrder()).filter((name) => ![...required, 'items'].includes(name));
    expect(others.length).toBeGreaterThan(10);
    expect(wrong(Object.fromEntries(others.map((name) => [name, undefined])))).toEqual([]);
  });

  it('may say any of these words, and no others', () => {
    const [delivery] = deliveries(1);
    for (const type of ['physical', 'digital', 'service', 'subscription']) {
      expect(wrong({ items: items(1, { type }) })).toEqual([]);
    }
    for (const type of ['physical', 'digital', 'pickup']) {
      expect(wrong({ deliveries: [{ ...delivery, type }] })).toEqual([]);
    }
    for (const status of 'not_shipped shipped in_transit delivered pickup exception cancelled'.split(' ')) {
      expect(wrong({ deliveries: [{ ...delivery, status }] })).toEqual([]);
    }
    for (const authentication of ['password', 'passkey', 'otp', 'guest']) {
      expect(wrong({ customer: { authentication } })).toEqual([]);
    }
    for (const change of [
      { items: items(1, { type: 'gift' }) },
      { deliveries: [{ ...delivery, type: 'drone' }] },
      { customer: { authentication: 'smile' } },
    ]) {
      expect(wrong(change)[0]).toContain('must be one of');
    }
  });

  it('is refused above 16 KiB', () => {
    expect(wrong({ items: items(60, { description: 'd'.repeat(300) }) })[0]).toMatch(/^order: has \d+ bytes/);
  });

  it.each([
    ['a phone number of Indonesia that looks like a card', { customer: { phone: '+62 812 3456 78976' } }],
    ['a reference of Visa that looks like a card', { network_transaction_id: '378282246310005' }],
    ['fields that nobody knows', { loves: 'tea' }],
  ])('may have %s', (_, change) => {
    expect(wrong(change)).toEqual([]);
  });

  it('stores no unknown field', () => {
    expect(content({ loves: 'tea', customer: { shoe_size: 43 } })).not.toHaveProperty('loves');
    expect(content({ customer: { shoe_size: 43 } }).customer).toEqual({});
  });

  it('is taken exactly when its parts add up, in each currency', () => {
    const part = fc.bigInt({ min: 0n, max: 10n ** 9n });
    fc.assert(
      fc.property(
        fc.constantFrom('USD', 'JPY', 'KWD'),
        part,
        part,
        part,
        part,
        fc.bigInt({ min: -2n, max: 2n }),
        (currency, subtotal, shipping, tax, coupon, off) => {
          const total = subtotal + shipping + tax - coupon + off;
          fc.pre(total > 0n);
          const text = (minor: bigint) => formatAmount({ minor, currency });
          const amounts = {
            currency,
            amount: text(total),
            amount_subtotal: text(subtotal),
            amount_shipping: text(shipping),
            amount_tax: text(tax),
            amount_coupon: text(coupon),
          };
          const problems = wrong({ ...amounts, items: [{ name: 'T', quantity: 1, amount_unit: '1' }], refunds: [] });
          expect(problems.length === 0).toBe(off === 0n);
        },
      ),
    );
  });
});

describe('a change of an order', () => {
  const change = (changes: Record<string, unknown>) => v.parse(OrderChanges, changes);

  it('leaves what is absent, takes away what is null, and replaces lists whole', () => {
    const before = content();
    const after = changedOrderFields(
      before,
      change({ caid: null, links: { order: 'https://shop.example/o' }, deliveries: [] }),
    );
    expect(after).toEqual({ ...before, caid: undefined, links: { order: 'https://shop.example/o' }, deliveries: [] });
    expect(after).not.toHaveProperty('caid');
  });

  it('is the same order again if it changes nothing', () => {
    const before = content();
    const read = orderContent(v.parse(OrderFields, changedOrderFields(before, change({}))), now);
    expect(read).toEqual(before);
    expect(contentDigest(before)).toBe(
      contentDigest(Object.fromEntries(Object.entries(before).reverse()) as typeof before),
    );
  });

  it('does not touch what a payment of the service says, and anything else', () => {
    const changes = change({ amount: '1.00', links: { order: 'https://shop.example/o' }, refunds: null });
    expect(fixedProblems({ source: 'payment' }, changes).map((problem) => problem.split(':')[0])).toEqual([
      'amount',
      'refunds',
    ]);
    expect(fixedProblems({ source: 'merchant' }, changes)).toEqual([]);
  });
});

it.each([
  ['the first and last name', { firstname: 'Ada', lastname: 'Byron' }, 'Ada Byron'],
  [
    'no card number that the two make up',
    { firstname: '4111 1111', lastname: '1111 1111' },
    expect.stringMatching(/^(?!.*4111 1111 1111)/),
  ],
])('the buyer of an order is %s', (_, customer, name) =>
  expect(toBuyerFields(order({ customer })).buyer).toEqual(name),
);

describe('refunds', () => {
  const refund = (amount: string, currency = 'USD') => ({ amount, currency, at: '2026-05-01T00:00:00.000Z' });
  it('are those of the merchant and of the service together, in the order’s currency', () => {
    const partly = order({ refunds: [refund('100.00')] }, { ownRefunds: { 5: refund('261.55') } });
    expect([orderRefunds(partly).length, isFullyRefunded(partly), isClean(partly)]).toEqual([2, false, true]);
    const wholly = order({ refunds: [refund('100.00')] }, { ownRefunds: { 5: refund('261.56') } });
    expect([isFullyRefunded(wholly), isClean(wholly)]).toEqual([true, false]);
    expect(isFullyRefunded(order({ refunds: [refund('900.00', 'EUR')] }))).toBe(false);
  });

  const alerted = { disputes: [{ alertId: 1, type: 'DISPUTE', at: now }] };
  const taken = { captured: '50.00', refunded: '50.00', voided: false, processor: null, reference: null };
  it.each<[string, object, object, string | null]>([
    ['reports the whole sum', { refunds: [refund('361.56')] }, {}, 'refunded'],
    ['reports the whole sum of an order with an alert', { refunds: [refund('361.56')] }, alerted, 'refunded'],
    ['reports a part of an order with an alert', { refunds: [refund('361.55')] }, alerted, 'disputed'],
    ['reports what a gift card left', { charges: [{ amount: '50.00' }], refunds: [refund('50.00')] }, {}, 'refunded'],
    ['reports another currency', { refunds: [refund('900.00', 'EUR')] }, {}, null],
    ['reports nothing', {}, {}, null],
    ['had all of a partly captured payment refunded here', {}, { payment: taken }, 'refunded'],
    ['had less than the captured part refunded here', {}, { payment: { ...taken, refunded: '49.99' } }, null],
  ])('decide the state of the money of an order whose merchant %s', (_, fields, more, state) =>
    expect(orderMoneyState(order({ refunds: undefined, ...fields }, more))).toBe(state),
  );
});

it.each([
  ['unpaid', order({}, { state: 'unpaid' })],
  [
    'voided',
    order({}, { payment: { captured: '0.00', refunded: '0.00', voided: true, processor: null, reference: null } }),
  ],
  ['disputed', order({}, { disputes: [{ alertId: 1, type: 'FRAUD', at: '2026-05-01T00:00:00.000Z' }] })],
  ['reported by its merchant', order({ reported: true })],
])('an order that is %s is not clean', (_, one) => expect(isClean(one)).toBe(false));

it.each([
  ['as the merchant says', {}, 34000n],
  ['what the other parts leave', { amount_subtotal: null }, 34000n],
  [
    'the whole where nothing is left',
    { amount_subtotal: null, amount_shipping: '361.56', amount_tax: null, amount_coupon: null },
    36156n,
  ],
])('the subtotal is %s', (_, change, minor) => expect(subtotalMinor(content(change))).toBe(minor));

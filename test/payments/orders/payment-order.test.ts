import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { holdsCardNumber } from '#core/kernel/card/card-numbers.ts';
import { type Order, orderContent } from '#payments/orders/order.ts';
import { orderOfPayment, type PaymentMade } from '#payments/orders/payment-order.ts';
import { OrderFields } from '#payments/orders/schemas.ts';
import { now, profile } from './samples.ts';

const owner = { sid: 1, mid: 1, rid: 1, profile, retainDays: 550, version: 1 };
const item = { name: 'Tea', sku: 'T-1', description: 'First flush', quantity: 2, unit: 400n };
const made = (change: Partial<PaymentMade> = {}): PaymentMade => ({
  ...{ txid: 1_234_567, sid: 1, mid: 1, rid: 1, money: { minor: 1000n, currency: 'USD' } },
  basket: { currency: 'USD', items: [item], shipping: 150n, tax: 100n, coupon: 50n, total: 1000n },
  ...{ reference: 'Order 7', tid: 'tid-7', descriptor: 'SHOP*ONE', at: now },
  card: { scheme: 'VISA', first6: '424242', last4: '4242', token: 'digest' },
  payer: {
    ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0958', ip: null },
    address: { line1: '1 Trade Road', city: 'London', state: '', country: 'GB', postcode: 'N1 1AA' },
  },
  shipping: { line1: '12 St James Square', city: 'London', state: '', country: 'GB', postcode: 'SW1Y 4JH' },
  device: {
    ...{ ip: '203.0.113.7', device_id: 'device-0123456789', device_fingerprint: 'fingerprint-0123456789abcdef' },
    ...{ account_id: 'ada-1', account_created_at: '2024-01-01T01:00:00+01:00', user_agent: 'Mozilla/5.0' },
  },
  ...change,
});
const makeContent = (change: Partial<PaymentMade> = {}): Order['content'] =>
  orderOfPayment(made(change), owner).content;

describe('the order of a payment', () => {
  it('says what the payment’s call said', () => {
    expect(orderOfPayment(made(), owner)).toMatchObject({
      ...{ orderId: 1_234_567, source: 'payment', state: 'unpaid', cardDigest: 'digest', retainDays: 550, profile },
      content: {
        ...{ reference: 'Order 7', order_date: now, transaction_date: now, amount: '10.00', currency: 'USD' },
        ...{ amount_subtotal: '8.00', amount_shipping: '1.50', amount_tax: '1.00', amount_coupon: '0.50' },
        ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA', descriptor: 'SHOP*ONE' },
        items: [{ name: 'Tea', quantity: '2', amount_unit: '4.00', sku: 'T-1', description: 'First flush' }],
        customer: { account_id: 'ada-1', firstname: 'Ada', account_created_at: '2024-01-01T00:00:00.000Z' },
        device: { ip: '203.0.113.7', device_id: 'device-0123456789' },
        billing: { name: 'Ada Lovelace', address: '1 Trade Road' },
        shipping: { address: '12 St James Square', country: 'GB' },
      },
    });
  });

  it('has no identifier that it would have to change', () => {
    const deviceOf = (device_id: string) => makeContent({ device: { ip: '203.0.113.7', device_id } }).device;
    expect(deviceOf(' device-0123456789 ')).toMatchObject({ device_id: 'device-0123456789' });
    expect(deviceOf('device-01\n23456789')).not.toHaveProperty('device_id');
  });

  it('has the reference, else the tid, else the number of the payment', () => {
    expect(makeContent({ reference: null }).reference).toBe('tid-7');
    expect(makeContent({ reference: null, tid: null }).reference).toBe('1234567');
    expect(makeContent({ reference: 'r'.repeat(100) }).reference).toBe('r'.repeat(65));
  });

  it('of a converted payment adds up to what is charged', () => {
    const { amount, currency, amount_subtotal, amount_shipping, items } = makeContent({
      money: { minor: 1533n, currency: 'AUD' },
    });
    expect({ amount, currency, amount_subtotal, amount_shipping }).toEqual({
      ...{ amount: '15.33', currency: 'AUD', amount_subtotal: '12.27', amount_shipping: '2.30' },
    });
    expect(items).toMatchObject([{ amount_unit: '6.13' }]);
  });

  it('leaves out what looks like a card number, and an identifier that is too long', () => {
    const { customer, items, device, shipping } = makeContent({
      basket: {
        ...made().basket,
        items: [
          { ...item, name: '4242 4242 4242 4242', description: 'card 4242424242424242', sku: '4242424242424242' },
        ],
      },
      device: {
        account_id: '4242424242424242',
        device_id: 'd'.repeat(65),
        device_fingerprint: 'f'.repeat(200),
        ip: '?',
      },
      shipping: { line1: '4242-4242-4242-4242', city: 'London', state: '', country: 'GB', postcode: '' },
    });
    expect(items).toEqual([{ name: 'Item', quantity: '2', amount_unit: '4.00' }]);
    expect(customer?.account_id).toBeUndefined();
    expect(device).toEqual({ device_fingerprint: 'f'.repeat(200) });
    expect(shipping).toEqual({ suburb_city: 'London', country: 'GB' });
  });

  it('is always one that its merchant could have sent, at most 16 KiB of it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('', ' ', '4242424242424242', 'tea\u0000', '\ud83d', `${'x'.repeat(99)}\ud83d\ude00`),
    );
    const items = fc.array(
      fc.record({
        ...{ name: text, sku: fc.option(text), description: fc.option(fc.string({ unit: 'binary', maxLength: 900 })) },
        ...{ quantity: fc.integer({ min: 1, max: 10_000 }), unit: fc.bigInt(0n, 10_000_000n) },
      }),
      { minLength: 1, maxLength: 200, size: 'max' },
    );
    const optional = fc.option(text);
    const device = fc.dictionary(
      fc.constantFrom('ip', 'device_id', 'device_fingerprint', 'user_agent', 'account_id', 'account_created_at'),
      fc.oneof(text, fc.integer(), fc.constantFrom('2024-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '2001:db8::1')),
    );
    fc.assert(
      fc.property(
        items,
        optional,
        optional,
        optional,
        device,
        fc.bigInt(0n, 99n),
        (list, name, line, tid, info, part) => {
          const goods = list.reduce((sum, { unit, quantity }) => sum + unit * BigInt(quantity), 1n);
          const basket = { currency: 'USD', items: list, shipping: part, tax: 1n, coupon: part, total: goods + 1n };
          const content = makeContent({
            ...{ basket, reference: name, tid, device: info, money: { minor: basket.total, currency: 'USD' } },
            payer: { ...made().payer, firstName: name, lastName: line, phone: line },
            shipping: { line1: line ?? '', city: name ?? '', state: '', country: 'GB', postcode: line ?? '' },
          });
          expect(
            holdsCardNumber(JSON.stringify(content.items.map((one) => [one.name, one.sku, one.description]))),
          ).toBe(false);
          const again = orderContent(v.parse(OrderFields, content), '9990-01-01T00:00:00.000Z');
          expect(again).toEqual(content);
        },
      ),
      { numRuns: 60 },
    );
  });
});

import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { keptUntilOf, type Order, type OrderContent, orderContent } from '#payments/orders/order.ts';
import { OrderFields } from '#payments/orders/schemas.ts';

/** Orders for tests: one that says everything, and what may be changed of it. */

type Fields = Record<string, unknown>;

export const now = '2026-05-02T10:00:00.000Z';
export const daysBefore = (days: number, at: string = now): string => iso(Date.parse(at) - days * milliseconds.day);

/** An order as a merchant sends it. */
export const sentOrder = (change: Fields = {}): Fields => ({
  reference: 'A-1001',
  order_date: '2026-04-30T08:15:00Z',
  amount: '361.56',
  currency: 'USD',
  amount_subtotal: '340.00',
  amount_shipping: '12.00',
  amount_tax: '14.56',
  amount_coupon: '5.00',
  card_firstsix: '424242',
  card_lastfour: '4242',
  card_type: 'VISA',
  card_token: 'tok_ada',
  arn: '24692161070000622606414',
  auth_code: '387373',
  network_transaction_id: '582112345678901',
  descriptor: 'SHOP*ONLINE 123',
  caid: '1231231',
  items: [
    { name: 'Kettle', quantity: 2, unit: 'each', amount_unit: '150.00', sku: 'K-1', type: 'physical' },
    { name: 'Tea', quantity: '0.5', unit: 'kg', amount_unit: '80.00', description: 'First flush' },
  ],
  customer: {
    account_id: 'ada-1',
    firstname: 'Ada',
    lastname: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0958',
    account_created_at: '2024-01-01T00:00:00Z',
    last_login_at: '2026-04-30T08:00:00Z',
    authentication: 'passkey',
  },
  device: {
    ip: '203.0.113.7',
    device_id: 'device-0123456789',
    device_fingerprint: 'fingerprint-0123456789abcdef',
    user_agent: 'Mozilla/5.0',
    type: 'COMPUTER',
  },
  shipping: {
    name: 'Ada Lovelace',
    address: '12 St James Square',
    suburb_city: 'London',
    state: 'London',
    country: 'GB',
    postcode: 'SW1Y 4JH',
  },
  deliveries: [
    {
      type: 'physical',
      status: 'delivered',
      provider: 'Royal Mail',
      tracking_number: 'RM123456789GB',
      shipped_at: '2026-04-30T16:00:00Z',
      delivered_at: '2026-05-01T11:00:00Z',
      signed_by: 'A Lovelace',
      ip: '203.0.113.8',
    },
  ],
  refunds: [{ amount: '5.00', currency: 'USD', at: '2026-05-01T12:00:00Z', reference: 'R-1' }],
  links: { receipt: 'https://shop.example/receipts/A-1001', contact: 'https://shop.example/help' },
  ...change,
});

/** The order of a charge of 12.61 at a connected sandbox, as a merchant sends it. */
export const sentOrderOfCharge = (change: Fields): Fields =>
  sentOrder({
    ...{ amount: '12.61', amount_subtotal: undefined, amount_shipping: undefined, amount_tax: undefined },
    ...{ amount_coupon: undefined, card_firstsix: '411111', card_lastfour: '1111', auth_code: '100209' },
    ...{ order_date: '2026-05-02T08:00:00Z', transaction_date: null, refunds: null, descriptor: 'SHOP' },
    ...change,
  });

/** The fields as they are kept. */
export const content = (change: Fields = {}): OrderContent => {
  const read = orderContent(v.parse(OrderFields, sentOrder(change)), now);
  if (Array.isArray(read)) throw new Error(read.join('; '));
  return read;
};

export const profile = {
  display_name: 'Shop Online',
  logo_url: 'https://shop.example/logo.png',
  support_email: 'help@shop.example',
  support_phone: '+1 555 0100',
  support_url: 'https://shop.example/support',
  refund_policy_url: 'https://shop.example/refunds',
  geo: { latitude: 51.5074, longitude: -0.1378 },
  address: { address: '1 Trade Road', suburb_city: 'London', country: 'GB', postcode: 'N1 1AA' },
} as const;

let number = 1_000_000;

/** An order as it is kept; `fields` change what its merchant sent. */
export const order = (fields: Fields = {}, change: Partial<Order> = {}): Order => {
  number += 1;
  const own = content({ ...(fields['order_date'] === undefined ? {} : { transaction_date: undefined }), ...fields });
  return {
    orderId: number,
    mid: 1,
    rid: 1,
    sid: 1,
    source: 'merchant',
    state: 'paid',
    content: own,
    cardDigest: null,
    profile,
    payment: null,
    ownRefunds: {},
    disputes: [],
    createdAt: now,
    updatedAt: now,
    retainDays: 550,
    keptUntil: keptUntilOf(own.transaction_date, 550),
    version: 1,
    ...change,
  };
};

/** Like the usual order, but of so many days ago and without what names its payment. */
export const earlier = (days: number, fields: Fields = {}, change: Partial<Order> = {}): Order =>
  order(
    {
      ...{ reference: `A-${days}`, order_date: daysBefore(days), refunds: [] },
      ...{ arn: null, auth_code: null, network_transaction_id: null, deliveries: [] },
      ...fields,
    },
    change,
  );

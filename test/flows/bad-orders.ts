import type { BadCalls, Wrong } from '#test/support/bad-calls.ts';
import type { Fixture } from './bad-calls.ts';

type Fields = Record<string, unknown>;
const nobody = 999_999;
const text = (length: number) => 'n'.repeat(length);

/** An order of the demo site that is right in all its fields. */
const order = (now: string): Fields => ({
  reference: 'BAD-1',
  order_date: now,
  amount: '10.00',
  currency: 'USD',
  card_firstsix: '424242',
  card_lastfour: '4242',
  card_type: 'VISA',
  items: [{ name: 'Tea', quantity: 1, amount_unit: '10.00' }],
});

/** The possible errors in the fields of an order, wherever they are sent. */
const wrongFields = {
  reference: [text(66), '4242424242424242'],
  order_date: ['2026-04-30'],
  amount: ['1e3', '0.00'],
  currency: ['DOLLAR'],
  card_firstsix: ['4242424242424242'],
  card_lastfour: ['42'],
  card_type: ['CASH'],
  card_token: ['4242 4242 4242 4242'],
  arn: ['1'],
  network_transaction_id: ['4242424242424242'],
  items: [[]],
  shipping: [[]],
};

const wrongParts: readonly Wrong[] = [
  { body: { amount_subtotal: '9.00' }, names: 'amount' },
  { body: { items: [[]] }, names: 'items.0' },
  { body: { items: [{ name: 'Tea', quantity: 1, amount_unit: '1.001' }] }, names: 'items.0.amount_unit' },
  { body: { customer: { phone: '4242424242424242' } }, names: 'customer.phone' },
  { body: { device: { ip: 'localhost' } }, names: 'device.ip' },
  { body: { deliveries: [{ type: 'balloon', status: 'shipped' }] }, names: 'deliveries.0.type' },
  { body: { refunds: [{ amount: '1', currency: 'USD' }] }, names: 'refunds.0.at' },
  { body: { links: { receipt: 'https://localhost/receipt' } }, names: 'links.receipt' },
];

const large = (now: string): Fields => ({
  items: Array.from({ length: 40 }, () => ({ name: 'Tea', quantity: 1, amount_unit: '1', description: text(500) })),
  order_date: now,
});

/** Bad calls of every operation of the area of orders, by its area and name. */
export const badOrders = (w: Fixture): Record<string, BadCalls> => {
  const { sid } = w.site;
  const notFound = { order_not_found: { params: { id: nobody } } };
  const sites = {
    site_not_found: { body: { sid: nobody } },
    orders_disabled: { as: 'admin', body: { sid: w.otherTenant.sid } },
  } as const;
  const profileSites = {
    site_not_found: { params: { sid: nobody } },
    orders_disabled: { as: 'admin', params: { sid: w.otherTenant.sid } },
  } as const;
  const body = { sid, ...order(w.now) };
  const questionA = {
    requestReference: { originatorChannel: 'DIGITAL', correlationId: 'bad' },
    searchCriteria: { cardFirstSix: '424242', cardLastFour: '4242', merchantId: 'demo' },
  };
  const questionB = {
    ...{ insightId: 'bad', transactionRequestId: 'bad', source: 'OIM', paymentType: 'VISA' },
    ...{ entityInfo: { partnerId: '7', clientId: 'demo' }, paymentDescriptor: 'DEMO SHOP', transactionDate: w.now },
    transactionAmount: { amount: '10.00', currency: 'USD' },
  };
  const unsigned = { signature_invalid: { headers: { 'x-signature': 't=1,v1=00' } } };
  return {
    'lookups/lookup-provider-a': {
      body: questionA,
      wrongBody: { searchCriteria: [{ merchantId: 'demo' }] },
      wrong: [
        { body: { requestReference: {} }, names: 'requestReference.correlationId' },
        { body: { searchCriteria: { acquirerReferenceNumber: '1' } }, names: 'searchCriteria.acquirerReferenceNumber' },
        {
          body: { searchCriteria: { ...questionA.searchCriteria, transactionDateTime: 'yesterday' } },
          names: 'searchCriteria.transactionDateTime',
        },
      ],
      refused: unsigned,
    },
    'lookups/lookup-provider-b': {
      body: questionB,
      wrongBody: { source: ['XXX'], entityInfo: [[]], cardBin: ['42'] },
      wrong: [{ body: { transactionAmount: { currency: 'USD' } }, names: 'transactionAmount.amount' }],
      refused: unsigned,
    },
    'orders/create-order': {
      body,
      wrongBody: { sid: ['first'], ...wrongFields },
      wrong: [...wrongParts, { body: large(w.now), names: 'order' }],
      refused: { ...sites, order_reference_taken: { after: {}, body: { caid: '1' } } },
    },
    'orders/create-orders': {
      body: { sid, orders: [order(w.now)] },
      wrongBody: { sid: ['first'], orders: [[], {}, Array.from({ length: 101 }, () => ({}))] },
      refused: sites,
    },
    'orders/update-order': {
      params: { id: w.orderId },
      body: { caid: '12' },
      wrongParams: { id: ['first'] },
      wrongBody: { ...wrongFields, items: [[], null] },
      wrong: wrongParts,
      refused: {
        ...notFound,
        order_reference_taken: { body: { reference: w.otherOrderReference } },
        changed_meanwhile: 'race',
      },
    },
    'lookups/delete-order': {
      params: { id: nobody },
      wrongParams: { id: ['first'] },
      refused: { ...notFound, changed_meanwhile: 'race' },
    },
    'lookups/erase-orders': {
      body: { account_id: 'nobody' },
      wrongBody: { email: ['nobody'] },
      wrong: [
        { body: { email: 'nobody@example.com' }, names: 'account_id' },
        { as: 'admin', body: {}, names: 'mid' },
      ],
      refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } }, changed_meanwhile: 'race' },
    },
    'lookups/list-orders': {
      body: {},
      wrongBody: { source: ['elsewhere'], reference: ['BAD-1'], date_from: ['yesterday'] },
      wrong: [
        { body: { account_id: 'nobody', sid }, names: 'account_id' },
        { as: 'admin', body: {}, names: 'mid' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'lookups/list-lookups': {
      body: {},
      wrongBody: { provider: ['rdr'], result: ['lost'] },
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'lookups/lookup-report': {
      body: {},
      wrongBody: { provider: ['rdr'] },
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'lookups/sandbox-bank': { params: { client: 'demo' }, wrongParams: { client: [text(66)] } },
    'lookups/sandbox-bank-ask': {
      body: { client: 'demo', order: w.orderId, view: 'agent', action: 'ask' },
      wrongBody: { order: ['first'], view: ['everybody'], action: ['refund'], client: [''] },
      refused: { order_not_found: { body: { order: nobody } } },
    },
    'lookups/order-details': { params: { id: w.orderId }, wrongParams: { id: ['first'] }, refused: notFound },
    'lookups/order-evidence': { params: { id: w.orderId }, wrongParams: { id: ['first'] }, refused: notFound },
    'orders/set-order-profile': {
      params: { sid },
      body: { display_name: 'Demo Shop' },
      wrongParams: { sid: ['first'] },
      wrongBody: { display_name: [''], logo_url: ['http://shop.example/logo.png'], retain_days: [1101] },
      wrong: [
        { body: { geo: { latitude: 91, longitude: 0 } }, names: 'geo.latitude' },
        { body: { order_source: { kind: 'shopify', connection: 'cn_none' } }, names: 'order_source.connection' },
        {
          body: { order_source: { kind: 'woocommerce', base_url: 'https://10.0.0.1' } },
          names: 'order_source.base_url',
        },
      ],
      refused: { ...profileSites, changed_meanwhile: 'race' },
    },
    'orders/order-profile-details': {
      params: { sid },
      wrongParams: { sid: ['first'] },
      refused: profileSites,
    },
  };
};

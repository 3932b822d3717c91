import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { monthBefore } from '#disputes/reports/programme.ts';
import { createClient, type Playground } from './client.ts';
import { demoClientId } from './demo-tenant.ts';
import { giftRule } from './past-alerts.ts';
import { createShop, type Shop } from './shop.ts';
import { createThreeDsShop } from './three-ds-shop.ts';

type Step = () => Promise<void>;

const disputes = [
  { amount: '180.00', type: 'CUSTOMER_DISPUTE', reasonCode: '13.3', issuer: 'First Example Bank' },
  { amount: '64.00', type: 'CONFIRMED_FRAUD', reasonCode: '10.4', issuer: 'Harbour Credit Union' },
  { amount: '35.00', type: 'CUSTOMER_DISPUTE', reasonCode: '13.1', issuer: 'Northwind Bank' },
] as const;

/** Returns the amount of a product's order. */
const nthAmount = (index: number): string => `${24 + 17 * index}.00`;

const products = [
  'Teapot',
  'Lantern',
  'Field notebook',
  'Walking boots',
  'Two concert tickets',
  'Coffee, one kilogram',
] as const;

/** The questions of banks: two of the orders, the second before a dispute. */
const lookUps = [
  { amount: nthAmount(1), source: 'OIM' },
  { amount: nthAmount(4), source: 'OID', disputeReasonCode: '10.4' },
] as const;

/** The network's number of a disputed payment's alert. */
const nthCase = (number: number): string => `PRESENT${String(number).padStart(18, '0')}`;

/** The sandbox's issuers charge back what is paid with the first; they authenticate the one payer, and not the other. */
const chargedBackCard = '4000000000000259';
const payers = ['4000100511122103', '4000100511102113'] as const;

/**
 * Returns the steps that create what can be created today: payments that are disputed, orders, rules; each through operations, like any
 * caller.
 */
export const presentSteps = (playground: Playground): Step[] => {
  const client = createClient(playground);
  const shop = createShop(playground);
  const payer = createThreeDsShop(playground);
  const { site, payment_site } = playground.credentials;
  const now = async () => (await client.status()).now;
  return [
    () => setFigures(playground, now),
    async () => void (await shop.ask(`/site/${payment_site.sid}/order-profile`, profile)),
    ...disputes.map((dispute, index) => async () => {
      const at = await now();
      const paid = await shop.pay(dispute.amount, Math.floor(Date.parse(at) / 1000), { tid: `disputed-${index + 1}` });
      const { type, reasonCode, issuer } = dispute;
      const alert = {
        ...{
          alertId: nthCase(index + 1),
          type,
          reasonCode,
          issuer,
          alertTimestamp: at,
          transactionTimestamp: at,
        },
        ...{ cardBin: '424242', cardLast4: '4242', merchantDescriptor: 'DEMO SHOP' },
        amount: { value: paid.amount.toFixed(2), currencyCode: paid.currency },
      };
      await client.sendAlert(alert, at);
    }),
    ...products.map((name, index) => async () => {
      await shop.ask('/orders/create', nthOrder(site.sid, name, index, await now()));
    }),
    ...lookUps.map(({ amount, ...question }, index) => async () => {
      const at = await now();
      const asked = { ...question, ...nthQuestion(index, at), transactionAmount: { amount, currency: 'USD' } };
      await client.asProvider('provider_b', '/orders', asked, at);
    }),
    async () => {
      const tid = 'web-7007';
      await shop.pay('58.00', Math.floor(Date.parse(await now()) / 1000), { tid, card_no: chargedBackCard });
    },
    ...payers.map((number) => async () => {
      const begun = await payer.create(Math.floor(Date.parse(await now()) / 1000));
      await payer.start(begun, number);
      await payer.authenticate(begun, number);
    }),
    () => claimPrice(shop, site.sid),
    async () => {
      for (const rule of Object.values(rules(site.sid))) await shop.ask('/service_alerts/rules/create', rule);
    },
  ];
};

/** The business profile of the shop that takes payments. */
const profile = {
  support_email: 'help@demo.example',
  address: { address: '12 High Street', suburb_city: 'London', country: 'GB', postcode: 'N1 1AA' },
  refund_policy: 'Full refund within 30 days.',
  checkout_terms: 'Customers tick “I accept the terms” before they pay.',
  delivery_terms: 'Tickets are sent by e-mail at once, goods within five days.',
};

/** Exchange rates, and what an acquirer reports for this month and the one before: made up. */
const setFigures = async (playground: Playground, now: () => Promise<string>): Promise<void> => {
  const { credentials } = playground;
  const operator = createShop({ ...playground, credentials: { ...credentials, merchant: credentials.admin } });
  for (const [from, rate] of [
    ['EUR', '1.16'],
    ['GBP', '1.321'],
  ] as const)
    await operator.ask('/pricing/rate/set', { from, to: 'USD', rate, source: 'Sample rates' });
  const month = (await now()).slice(0, 'YYYY-MM'.length);
  for (const figures of [
    { scheme: 'VISA', settled_count: 21_400, chargeback_count: 96, fraud_count: 141 },
    {
      ...{ scheme: 'MASTERCARD', settled_count: 9800, chargeback_count: 41 },
      ...{ fraud_chargeback_count: 17, fraud_chargeback_usd: 1935, amount_usd: 4610, three_ds_percent: 31 },
    },
  ])
    for (const one of [month, monthBefore(month)])
      await createShop(playground).ask('/reports/figures/set', { month: one, ...figures });
};

const Alerts = v.object({ list: v.array(v.object({ alert_id: v.number(), provider_case_id: v.string() })) });
const Costs = v.object({ cost: v.nullable(v.unknown()) });
const lookAgainMilliseconds = 50;
const maxLooks = 2000;

/** Claims the price of a disputed payment's alert back. What an alert costs is known a moment after it came. */
const claimPrice = async (shop: Shop, sid: number): Promise<void> => {
  const { list } = v.parse(Alerts, await shop.ask('/service_alerts/alerts', { sid, size: 100 }));
  const found = list.find(({ provider_case_id }) => provider_case_id === nthCase(disputes.length));
  const path = `/service_alerts/alert/${found?.alert_id}`;
  for (let looks = 0; found && looks < maxLooks; looks += 1) {
    if (v.parse(Costs, await shop.ask(`${path}/details`, {})).cost !== null) {
      await shop.ask(`${path}/credit`, { state: 'claimed', reason: 'not_ours', note: 'Another shop of that name.' });
      return;
    }
    await wait(lookAgainMilliseconds);
  }
};

const nthOrder = (sid: number, name: string, index: number, at: string) => {
  const amount = nthAmount(index);
  return {
    sid,
    reference: `web-${7001 + index}`,
    order_date: at,
    ...{ amount, currency: 'USD', amount_subtotal: amount },
    ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA', auth_code: String(387_370 + index) },
    descriptor: 'DEMO SHOP',
    items: [{ name, quantity: 1, unit: 'each', amount_unit: amount, sku: `SKU-${index + 1}`, type: 'physical' }],
    customer: { account_id: 'ada-1', firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' },
    device: { ip: '203.0.113.7', device_id: 'device-0123456789' },
    shipping: { address: '12 High Street', suburb_city: 'London', country: 'GB', postcode: 'N1 1AA' },
  };
};

const nthQuestion = (index: number, at: string) => ({
  ...{ insightId: `present-${index + 1}`, transactionRequestId: `present-${index + 1}`, paymentType: 'VISA' },
  entityInfo: { partnerId: 'demo', clientId: demoClientId },
  ...{ paymentDescriptor: 'DEMO SHOP', transactionDate: at, cardBin: '424242', cardLast4: '4242' },
});

/** The first only writes down what it would do, the second is off, and the third is about what only the past has. */
const rules = (sid: number) => ({
  small: {
    sid,
    name: 'Refund small disputes',
    mode: 'shadow',
    conditions: {
      all: [
        { fact: 'alert_type', operator: 'in', value: ['DISPUTE', 'CANCEL'] },
        { fact: 'amount', operator: 'lessThanInclusive', value: 25, params: { currency: 'USD' } },
      ],
    },
    action: { type: 'refund' },
  },
  frequent: {
    sid,
    name: 'Leave cards that dispute often to us',
    enabled: false,
    conditions: {
      any: [
        { fact: 'volume_count', operator: 'greaterThan', value: 3, params: { of: 'card', window: '7d' } },
        { fact: 'is_duplicate', operator: 'equal', value: true },
      ],
    },
    action: { type: 'review' },
  },
  gifts: {
    sid,
    name: giftRule.name,
    conditions: {
      all: [
        { fact: 'descriptor', operator: 'equal', value: giftRule.descriptor },
        {
          fact: 'amount',
          operator: 'lessThanInclusive',
          value: giftRule.most,
          params: { currency: giftRule.currency },
        },
      ],
    },
    action: { type: 'refund' },
  },
});

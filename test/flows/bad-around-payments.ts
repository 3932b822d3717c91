import type { BadCalls } from '#test/support/bad-calls.ts';
import type { PaymentFixture } from './bad-payments.ts';

const nobody = 999_999;
const hash = 'a'.repeat(32);

/** Bad calls of the operations around payments: prices, assessments, searches and funds. */
export const badAround = (fixture: PaymentFixture): Record<string, BadCalls> => ({
  ...quotes(fixture),
  ...options(fixture),
  ...ratesAndFees(fixture),
  ...fraud(fixture),
  ...cardsAndFunds(fixture),
});

const quotes = ({ shop, alertShop, otherTenant, othersShop }: PaymentFixture): Record<string, BadCalls> => {
  const item = { item_desc: 'Tea', item_no: '1', amount_unit: '10.00', quantity: '1', name: 'Food' };
  const site: BadCalls = {
    wrongBody: { sid: ['x'], rcode: [undefined], country: ['Atlantis'] },
    refused: {
      rcode_wrong: { body: { rcode: otherTenant.rcode } },
      site_not_for_payments: { body: { sid: alertShop.sid, rcode: alertShop.rcode } },
    },
    alike: [{ body: { sid: othersShop.sid } }, { body: { sid: nobody } }],
  };
  const known = { sid: shop.sid, rcode: shop.rcode, country: 'US' };
  const amounts = { amount_purchase: '10.00', amount_shipping: '0.00', amount_coupon: '0.00', amount_tax: '0.00' };
  return {
    'pricing/fee-quote': {
      ...site,
      body: { ...known, currency_code: '840', ...amounts, fxrate_posted: '1', summary: [], items: [], cart: [item] },
      wrongBody: {
        ...site.wrongBody,
        currency_code: ['USD'],
        addfee: ['perhaps'],
        amount_purchase: ['10.01'],
        amount_tax: ['1,00'],
        fxrate_posted: ['1.1'],
        summary: ['tea'],
        cart: [[]],
      },
      wrong: [
        { body: { cart: [{ ...item, amount_unit: '10.00 USD' }] }, names: 'cart.0.amount_unit' },
        { body: { cart: [{ ...item, quantity: 'two' }] }, names: 'cart.0.quantity' },
      ],
      refused: { ...site.refused, rate_missing: { body: { currency_code: '756' } } },
    },
    'pricing/raw-fees': {
      ...site,
      body: { ...known, currency: '840' },
      wrongBody: { ...site.wrongBody, currency: ['999999'] },
      refused: { ...site.refused, rate_missing: { body: { currency: '756' } } },
    },
  };
};

const options = ({ shop, alertShop, otherTenant, othersShop }: PaymentFixture): Record<string, BadCalls> => {
  const site: BadCalls = {
    params: { id: shop.sid },
    body: { rcode: shop.rcode },
    wrongBody: { rcode: [''], country: ['Atlantis'] },
    wrongParams: { id: ['x'] },
    refused: {
      rcode_wrong: { body: { rcode: otherTenant.rcode } },
      site_not_for_payments: { params: { id: alertShop.sid }, body: { rcode: alertShop.rcode } },
    },
    alike: [{ params: { id: othersShop.sid } }, { params: { id: nobody } }],
  };
  const priced = { item_name: ['Tea'], item_amount_unit: ['10.00'], currency: 'USD' };
  return {
    'pricing/payment-options': { ...site, wrongBody: { ...site.wrongBody, currency: ['DOLLAR'] } },
    'pricing/vendor-payment-options': { ...site, body: { rcode: shop.rcode, country: 'US' } },
    'pricing/bin-payment-options': {
      params: { id: shop.sid },
      body: { ...shop.signed('10.00', 'USD'), BIN: '424242', ...priced },
      wrongBody: { BIN: ['42424'], timestamp: ['1000000000'], item_name: [[], ['Tea', 'Cup']] },
      wrongParams: { id: ['x'] },
      wrong: [
        { body: { item_quantity: [0] }, names: 'item_quantity.0' },
        { body: { item_amount_unit: ['ten'] }, names: 'item_amount_unit.0' },
      ],
      refused: {
        hash_wrong: { body: { hash } },
        site_not_for_payments: { params: { id: alertShop.sid }, body: alertShop.signed('10.00', 'USD') },
        card_not_taken: { body: { BIN: '999999' } },
      },
      alike: [{ params: { id: othersShop.sid } }, { params: { id: nobody } }],
    },
  };
};

const ratesAndFees = ({ shop, alertShop, othersShop }: PaymentFixture): Record<string, BadCalls> => {
  const fee = { paymethod: 'VISA', percentage: '2.5', fixed: '0.10', currency: 'USD' };
  const fees = (change: object) => ({ fees: [{ ...fee, ...change }] });
  return {
    'pricing/set-rate': {
      as: 'admin',
      body: { from: 'GBP', to: 'USD', rate: '1.25', source: 'a test' },
      wrongBody: { from: ['POUND'], to: ['GBP'], rate: ['0.0', 1.25], source: [''] },
      refused: { changed_meanwhile: 'race' },
    },
    'pricing/list-rates': {
      wrongBody: { from: ['GBP'], cursor: ['bm90IG91cnM'] },
    },
    'pricing/set-fees': {
      as: 'admin',
      params: { sid: shop.sid },
      body: { fees: [fee] },
      wrongBody: { fees: [undefined] },
      wrongParams: { sid: ['x'] },
      wrong: [
        { body: { fees: [[]] }, names: 'fees.0.paymethod' },
        { body: fees({ paymethod: 'CASH' }), names: 'fees.0.paymethod' },
        { body: fees({ percentage: '100.1' }), names: 'fees.0.percentage' },
        { body: fees({ fixed: '0.001' }), names: 'fees.0.fixed' },
        { body: fees({ currency: 'DOLLAR' }), names: 'fees.0.currency' },
      ],
      refused: {
        site_not_found: { params: { sid: nobody } },
        site_not_for_payments: { params: { sid: alertShop.sid } },
      },
    },
    'pricing/list-fees': {
      params: { sid: shop.sid },
      wrongParams: { sid: ['x'] },
      refused: { site_not_found: { as: 'otherTenant' } },
      alike: [{ params: { sid: othersShop.sid } }, { params: { sid: nobody } }],
    },
  };
};

const fraud = (w: PaymentFixture): Record<string, BadCalls> => {
  const { shop, alertShop, othersShop } = w;
  const rule = (change: object) => ({
    rules: [{ name: 'A rule', conditions: { all: [] }, effect: { score: 10 }, ...change }],
  });
  // A check has neither.
  const noAction = { tx_action: undefined, postback_url: undefined };
  return {
    'fraud/fraudcheck': {
      params: { id: shop.sid },
      body: { ...shop.orderOf('10.00'), ...noAction },
      wrongBody: {
        timestamp: ['1000000000'],
        card_no: ['4242424242424241'],
        card_type: ['AMEX'],
        email: ['nobody'],
        device_info: ['[]'],
      },
      wrongParams: { id: ['x'] },
      wrong: [
        { body: { country: 'CA', state: 'Ontario' }, names: 'state' },
        { body: { item_amount_unit: ['10.001'] }, names: 'item_amount_unit.0' },
      ],
      refused: {
        hash_wrong: { body: { hash } },
        site_not_for_payments: { params: { id: alertShop.sid }, body: { ...alertShop.orderOf('10.00'), ...noAction } },
      },
      alike: [{ params: { id: othersShop.sid } }, { params: { id: nobody } }],
    },
    'fraud/fraud-details': {
      params: { fraud_id: w.fraudId },
      wrongParams: { fraud_id: ['x'] },
      refused: { fraud_check_not_found: { as: 'otherTenant' } },
      alike: [{ as: 'otherTenant' }, { params: { fraud_id: nobody } }],
    },
    'fraud/fraud-lists': {
      params: { sid: shop.sid },
      wrongParams: { sid: ['x'] },
      refused: {
        site_not_found: { as: 'otherTenant' },
        site_not_for_payments: { params: { sid: alertShop.sid } },
      },
      alike: [{ params: { sid: othersShop.sid } }, { params: { sid: nobody } }],
    },
    'fraud/set-fraud-lists': {
      params: { sid: shop.sid },
      body: { block: { bins: ['400000'] } },
      wrongBody: { block: [[]] },
      wrongParams: { sid: ['x'] },
      wrong: [
        { body: { block: { cards: ['4242424242424241'] } }, names: 'block.cards.0' },
        { body: { block: { emails: ['nobody'] } }, names: 'block.emails.0' },
        { body: { allow: { ips: ['10.0.0'] } }, names: 'allow.ips.0' },
        { body: { allow: { countries: ['Atlantis'] } }, names: 'allow.countries.0' },
        { body: { allow: { bins: ['42'] } }, names: 'allow.bins.0' },
        { body: { watch: { emails: ['nobody'] } }, names: 'watch.emails.0' },
      ],
      refused: {
        site_not_found: { as: 'otherTenant' },
        site_not_for_payments: { params: { sid: alertShop.sid } },
        changed_meanwhile: 'race',
      },
      alike: [{ params: { sid: othersShop.sid } }, { params: { sid: nobody } }],
    },
    'fraud/fraud-template-details': {
      params: { id: w.ftid },
      wrongParams: { id: ['x'] },
      refused: { fraud_template_not_found: { params: { id: nobody } } },
    },
    'fraud/update-fraud-template': {
      as: 'admin',
      params: { id: w.ftid },
      body: { scorer: 'none' },
      wrongBody: { scorer: ['oracle'], thresholds: [{ review: 90, three_ds: 80 }, []] },
      wrongParams: { id: ['x'] },
      wrong: [
        { body: { rules: [[]] }, names: 'rules.0.name' },
        { body: rule({ effect: { score: 0 } }), names: 'rules.0.effect.score' },
        { body: rule({ effect: { decision: 'ACCEPT' } }), names: 'rules.0.effect' },
        { body: rule({ conditions: { all: [{ fact: 'mood' }] } }), names: 'rules.0.conditions.all.0.fact' },
      ],
      refused: { fraud_template_not_found: { params: { id: nobody } }, changed_meanwhile: { body: { version: 99 } } },
    },
  };
};

const cardsAndFunds = (w: PaymentFixture): Record<string, BadCalls> => {
  const search: BadCalls = {
    body: { card_lastfour: '4242' },
    wrongBody: {
      card_no: ['4242424242424241'],
      card_firstsix: ['42x'],
      card_lastfour: [42424],
      month_year: ['132026'],
    },
    wrong: [{ as: 'admin', names: 'mid' }],
    refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } } },
    alike: [{ body: { mid: w.otherTenant.mid } }, { body: { mid: nobody } }],
  };
  return {
    'cardsearch/card-transactions': search,
    'cardsearch/card-search-and-email': search,
    'balance/balance': {
      params: { id: w.shop.sid },
      body: { rcode: w.shop.rcode },
      wrongBody: { rcode: [7, undefined] },
      wrongParams: { id: ['x'] },
      refused: {
        rcode_wrong: { body: { rcode: w.otherTenant.rcode } },
        site_not_for_payments: { params: { id: w.alertShop.sid }, body: { rcode: w.alertShop.rcode } },
      },
      alike: [{ params: { id: w.othersShop.sid } }, { params: { id: nobody } }],
    },
  };
};

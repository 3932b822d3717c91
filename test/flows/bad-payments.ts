import type { BadCalls, Change } from '#test/support/bad-calls.ts';
import type { OtherTenant } from '#test/support/other-tenant.ts';
import type { TestStack } from '#test/support/stack.ts';
import type { Shop } from '#test/support/storefront.ts';
import { badAround } from './bad-around-payments.ts';

/** The subjects of the calls: everything exists before the first of them. */
export type PaymentFixture = {
  service: TestStack;
  /** Makes a payment of a shop and a dispute alert about it; the second one, or one of a payment that was given back. */
  dispute(
    shop: Shop,
    amount: string,
    kind: 'once' | 'twice' | 'voided' | 'refunded',
  ): Promise<{ txid: number; alertId: number }>;
  /** The demo payment site, and one of the same merchant that allows no refunds. */
  shop: Shop;
  strict: Shop;
  /** The demo merchant's site for alerts. */
  alertShop: Shop;
  otherTenant: OtherTenant;
  /** A payment site of the other tenant, with a payment. */
  othersShop: Shop;
  othersTxid: number;
  /** Payments: complete; one that a dispute holds; one where no refunds are allowed; authorised; waiting for a code; and on a page. */
  paidTxid: number;
  disputedTxid: number;
  chargedBackTxid: number;
  /** Has a payment charged back. */
  chargeBack: (txid: number) => Promise<void>;
  /** The alert that holds it, and one that holds nothing; one that is answered, and an informational one. */
  disputeId: number;
  openId: number;
  closedId: number;
  informId: number;
  /** A connection of the demo merchant that does not answer. */
  brokenConnection: string;
  /** An alert of the other tenant. */
  othersAlertId: number;
  strictTxid: number;
  heldTxid: number;
  otp: { txid: number; token: string };
  pageId: string;
  /** Authentications: of the same merchant, and not done; and of the other tenant. */
  authentications: { open: number; theirs: number };
  fraudId: number;
  ftid: number;
};

const nobody = 999_999;
/** Like a transaction's number, and none. */
const noTxid = 1_000_000_000_001;

const hash = 'a'.repeat(32);

const starting = (w: PaymentFixture): Record<string, BadCalls> => {
  const right = w.shop.orderOf('10.00');
  const wrongOrder = {
    hash: ['abc'],
    timestamp: ['2026', '1000000000'],
    email: ['nobody'],
    country: ['Atlantis'],
    currency: ['DOLLAR'],
    postback_url: [undefined, 'http://10.0.0.1/'],
    card_no: ['4242424242424241'],
    card_exp_year: ['2020'],
  };
  const wrongCart = {
    card_type: ['CASH', 'AMEX'],
    card_no: ['4242424242424241', undefined],
    card_ccv: ['12'],
    tx_action: ['REFUND'],
    firstname: [undefined],
    item_name: [[]],
    amount_coupon: ['10.01'],
  };
  const others: Change = { params: { id: w.othersShop.sid } };
  const charge = (name: string, again: ReturnType<typeof w.shop.orderOf>): BadCalls => ({
    params: { id: w.shop.sid },
    body: right,
    wrongParams: { id: ['x'] },
    wrongBody: { ...wrongOrder, ...wrongCart },
    wrong: [
      { body: { country: 'US', state: 'Oregon' }, names: 'state' },
      { body: { shipping_country: 'AU', shipping_state: 'Victoria' }, names: 'shipping_state' },
      ...['1,000.00', '1e1', '10.001'].map((unit) => ({
        body: { item_amount_unit: [unit] },
        names: 'item_amount_unit.0',
      })),
    ],
    refused: {
      hash_wrong: { body: { hash } },
      site_not_for_payments: { params: { id: w.alertShop.sid }, body: w.alertShop.orderOf('10.00') },
      tid_reused: {
        body: { ...w.shop.orderOf('11.00'), tid: `bad ${name}` },
        after: { body: { ...w.shop.orderOf('10.00'), tid: `bad ${name}` } },
      },
      tid_needed: { body: { ...again, email: 'other@shop.example' }, after: { body: again } },
    },
    alike: [others, { params: { id: nobody } }],
  });
  const { singletx, convertnpay } = {
    singletx: charge('singletx', w.shop.orderOf('12.01')),
    convertnpay: charge('convertnpay', w.shop.orderOf('12.02')),
  };
  const { card_no, card_exp_month, card_exp_year, email, postback_url } = right;
  const payout = { card_no, card_exp_month, card_exp_year, email, postback_url };
  const payee = (amount: string, shop = w.shop) => ({ ...shop.signed(amount, 'USD'), amount, currency: 'USD' });
  const again = payee('5.01');
  return {
    'transactions/singletx': {
      ...singletx,
      wrongBody: {
        ...singletx.wrongBody,
        dynamic_descriptor: ['TEA • 茶'],
        threeDSecure: ['{', { authentication_id: 'x' }],
        device_info: [[]],
      },
      refused: {
        ...singletx.refused,
        authentication_not_found: { body: { threeDSecure: { authentication_id: w.authentications.theirs } } },
        authentication_mismatch: { body: { threeDSecure: { authentication_id: w.authentications.open } } },
      },
    },
    'transactions/convertnpay': {
      ...convertnpay,
      refused: { ...convertnpay.refused, rate_missing: { body: w.shop.orderOf('10.00', { currency: 'CHF' }) } },
    },
    'transactions/payout': {
      params: { id: w.shop.sid },
      body: { ...payout, ...payee('5.00') },
      wrongParams: { id: ['x'] },
      wrongBody: { ...wrongOrder, amount: ['-1', undefined] },
      wrong: [{ body: { country: 'US', state: 'Oregon' }, names: 'state' }],
      refused: {
        hash_wrong: { body: { hash } },
        site_not_for_payments: { params: { id: w.alertShop.sid }, body: payee('5.00', w.alertShop) },
        insufficient_funds: { body: payee('9000000.00') },
        tid_reused: {
          body: { ...payee('6.00'), tid: 'bad payout' },
          after: { body: { ...payee('5.00'), tid: 'bad payout' } },
        },
        tid_needed: { body: { ...again, email: 'other@shop.example' }, after: { body: again } },
      },
      alike: [others, { params: { id: nobody } }],
    },
  };
};

const followUps = (w: PaymentFixture): Record<string, BadCalls> => {
  const { shop } = w;
  const unhashed = { hash_wrong: { params: { hash } } };
  const read: BadCalls = {
    params: { id: w.paidTxid, hash: shop.siteHash },
    wrongParams: { id: ['x'], hash: ['abc'] },
    refused: unhashed,
    alike: [{ params: { id: w.othersTxid } }, { params: { id: noTxid } }],
  };
  /** It needs no action; it is not decided for a minute. */
  const goesOnByItself = async () => ({ params: { id: (await shop.pay('10.61')).txid } });
  const capture = (amount: string, change: object = {}) => ({ amount, hash: shop.captureHash(amount), ...change });
  return {
    'transactions/getstatus': read,
    'transactions/getbytid': {
      params: { id: shop.sid, hash: shop.siteHash, tid: 'bad tid' },
      wrongParams: { id: ['x'], hash: ['abc'], tid: ['t'.repeat(101)] },
      refused: { ...unhashed, transaction_not_found: {} },
      alike: [{ params: { id: w.alertShop.sid } }, { params: { id: nobody } }],
    },
    'transactions/resendauth': {
      ...read,
      params: { id: w.otp.txid, hash: shop.siteHash },
      refused: { ...unhashed, transaction_state_wrong: { prepare: goesOnByItself } },
    },
    'transactions/sendauth': {
      params: { id: w.otp.txid },
      body: { authtype: 'SMS', authvalue: '1', hash: shop.siteHash },
      wrongBody: { authvalue: [' '], hash: ['x'] },
      wrongParams: { id: ['x'] },
      refused: { hash_wrong: { body: { hash } }, transaction_state_wrong: { prepare: goesOnByItself } },
      alike: [{ params: { id: w.othersTxid } }, { params: { id: noTxid } }],
    },
    'refunds/requery': {
      params: { id: w.paidTxid },
      body: { sid: shop.sid, rcode: shop.rcode },
      wrongBody: { sid: [undefined], rcode: [undefined], postback_url: ['ftp://shop.example'] },
      wrongParams: { id: ['x'], sid: ['x'] },
      refused: { rcode_wrong: { body: { rcode: w.alertShop.rcode } } },
      alike: [{ params: { id: w.othersTxid } }, { params: { id: noTxid } }],
    },
    'transactions/flagcapture': {
      params: { id: shop.sid },
      body: { parent_txid: w.heldTxid, ...capture('30.00') },
      wrongBody: { amount: ['30,00'], parent_txid: ['x'] },
      wrongParams: { id: ['x'] },
      wrong: [{ body: capture('30.001'), names: 'amount' }],
      refused: {
        hash_wrong: { body: { hash } },
        site_not_for_payments: {
          params: { id: w.alertShop.sid },
          body: { hash: w.alertShop.captureHash('30.00') },
        },
        transaction_not_found: { body: { parent_txid: noTxid } },
        transaction_state_wrong: { body: { parent_txid: w.paidTxid } },
        amount_not_available: { body: capture('29.00') },
        changed_meanwhile: 'race',
      },
      alike: [{ body: { parent_txid: w.othersTxid } }, { body: { parent_txid: noTxid } }],
    },
    'refunds/processrefund': refunds(w),
    'transactions/list-transactions': {
      wrongBody: {
        status: ['LOST'],
        tx_action: ['GIFT'],
        card_firstsix: ['42424'],
        card_lastfour: ['x'],
        tid: ['t'.repeat(65)],
        size: [501],
        cursor: ['bm90IG91cnM'],
      },
      wrong: [{ as: 'admin', names: 'mid' }],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
      alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
    },
    'transactions/transaction-details': {
      params: { parentxid: w.paidTxid },
      wrongParams: { parentxid: ['x'] },
      refused: { transaction_not_found: { as: 'otherTenant' } },
      alike: [{ params: { parentxid: w.othersTxid } }, { params: { parentxid: noTxid } }],
    },
  };
};

const refunds = (w: PaymentFixture): BadCalls => ({
  params: { parentxid: w.paidTxid },
  body: { amount: '1.00', currency: 'USD' },
  wrongBody: { amount: ['1e0', '1.001', '0.00'], currency: ['EUR', undefined], alert_id: ['x'] },
  wrongParams: { parentxid: ['x'] },
  refused: {
    transaction_not_found: { as: 'otherTenant' },
    alert_not_found: { body: { alert_id: nobody } },
    refund_not_allowed: { params: { parentxid: w.strictTxid } },
    transaction_state_wrong: { params: { parentxid: w.otp.txid } },
    amount_not_available: { body: { amount: '10000.00' } },
    already_refunded_for_dispute: {
      prepare: async () => {
        const { txid, alertId } = await w.dispute(w.shop, '64.00', 'refunded');
        return { params: { parentxid: txid }, body: { alert_id: alertId } };
      },
    },
    dispute_open: {
      prepare: async () => {
        const { txid, alertId } = await w.dispute(w.shop, '68.00', 'twice');
        return { params: { parentxid: txid }, body: { alert_id: alertId } };
      },
    },
    charged_back: { params: { parentxid: w.chargedBackTxid } },
    tid_reused: { body: { tid: 'bad refund', amount: '2.00' }, after: { body: { tid: 'bad refund' } } },
    changed_meanwhile: 'race',
  },
  alike: [{ params: { parentxid: w.othersTxid } }, { params: { parentxid: noTxid } }],
});

const ofAlerts = (w: PaymentFixture): Record<string, BadCalls> => {
  const missing = { alert_not_found: { as: 'otherTenant' } } as const;
  const inform = { params: { alert_id: w.informId } };
  const elsewhere = { params: { alert_id: w.openId } };
  const disputed =
    (shop: Shop, amount: string, kind: Parameters<PaymentFixture['dispute']>[2]) => async (): Promise<Change> => ({
      params: { alert_id: (await w.dispute(shop, amount, kind)).alertId },
    });
  const partlyRefunded = async (): Promise<Change> => {
    const { alertId } = await w.dispute(w.shop, '61.50', 'once');
    const token = await w.service.tokenOf('merchant');
    const body = { amount: '1.00', answer: false };
    const refund = await w.service.call(`/api/v3/service_alerts/alert/${alertId}/refund`, { token, body });
    if (refund.status !== 200) throw new Error(`The refund returned ${refund.status}`);
    return { params: { alert_id: alertId }, body: { txid: null } };
  };
  const alike = [{ params: { alert_id: w.othersAlertId } }, { params: { alert_id: noTxid } }] as const;
  return {
    'refunds/link-alert': {
      params: { alert_id: w.openId },
      body: { txid: w.paidTxid },
      wrongBody: { txid: ['x'] },
      wrongParams: { alert_id: ['x'] },
      refused: {
        ...missing,
        payment_not_linked: {},
        alert_closed: { params: { alert_id: w.closedId } },
        already_refunded_for_dispute: { prepare: partlyRefunded },
        changed_meanwhile: 'race',
      },
      alike,
    },
    'refunds/refund-alert': {
      params: { alert_id: w.disputeId },
      body: { amount: '1.00' },
      wrongBody: {
        txid: ['x'],
        amount: [1, '1.001', '0.00'],
        currency: ['DOLLAR', 'EUR'],
        reason_code: ['100.002'],
        answer: ['perhaps'],
        reference: ['ch_1'],
      },
      wrongParams: { alert_id: ['x'] },
      wrong: [
        { body: { connection: w.brokenConnection }, names: 'reference' },
        { body: { txid: w.paidTxid, connection: w.brokenConnection, reference: 'ch_1' }, names: 'txid' },
      ],
      refused: {
        ...missing,
        connection_not_found: { ...elsewhere, body: { connection: 'cn_nobodys', reference: 'ch_1' } },
        connection_unavailable: { ...elsewhere, body: { connection: w.brokenConnection, reference: 'ch_1' } },
        payment_not_linked: { params: { alert_id: w.openId } },
        alert_closed: { params: { alert_id: w.closedId }, body: { txid: w.disputedTxid } },
        alert_takes_no_outcome: inform,
        reason_code_invalid: { body: { reason_code: '900.001' } },
        amount_not_available: { body: { amount: '10000.00' } },
        already_refunded_for_dispute: {
          body: { amount: '2.00' },
          after: { body: { answer: false } },
        },
        dispute_open: { prepare: disputed(w.shop, '62.00', 'twice') },
        charged_back: {
          prepare: async () => {
            const { txid, alertId } = await w.dispute(w.shop, '65.00', 'once');
            await w.chargeBack(txid);
            return { params: { alert_id: alertId } };
          },
        },
        refund_not_allowed: { prepare: disputed(w.strict, '61.00', 'once') },
        transaction_state_wrong: { body: { amount: '63.00' }, prepare: disputed(w.shop, '63.00', 'voided') },
        changed_meanwhile: 'race',
      },
      alike,
    },
  };
};

const pages = (w: PaymentFixture): Record<string, BadCalls> => {
  const strangeLink: Change = { params: { id: w.othersTxid } };
  const page: BadCalls = {
    params: { id: w.pageId },
    wrongParams: { id: ['p'.repeat(101)] },
    refused: { page_not_found: { params: { id: `${w.pageId.slice(0, -1)}-` } } },
    alike: [{ params: { id: `${w.pageId.slice(0, 32)}${'0'.repeat(32)}` } }, { params: { id: '0'.repeat(64) } }],
  };
  const link: BadCalls = {
    params: { id: w.otp.txid, token: w.otp.token },
    wrongParams: { id: ['x'], token: ['t'.repeat(65)] },
    refused: { page_not_found: { params: { token: 'f'.repeat(32) } } },
    alike: [strangeLink, { params: { id: noTxid } }],
  };
  return {
    'processors/sandbox-page': page,
    'processors/sandbox-page-answer': {
      ...page,
      body: { answer: 'approve' },
      wrongBody: { answer: ['perhaps'] },
    },
    'transactions/payer-page': link,
    'transactions/payer-page-answer': {
      ...link,
      body: { code: '1' },
      wrongBody: { code: ['1'.repeat(21)] },
    },
  };
};

const processors = (w: PaymentFixture): Record<string, BadCalls> => {
  const route = (change: object) => ({ routes: [{ processor: 'sandbox', ...change }] });
  const credentials = { secret_key: 'sk_test_1234567', webhook_secret: 'whsec_1234567' };
  const stripe = (change: object) => route({ processor: 'stripe', credentials: { ...credentials, ...change } });
  const owned: Pick<BadCalls, 'params' | 'alike'> = {
    params: { sid: w.shop.sid },
    alike: [{ params: { sid: w.othersShop.sid } }, { params: { sid: nobody } }],
  };
  const site: BadCalls['refused'] = {
    site_not_found: { as: 'otherTenant' },
    site_not_for_payments: { params: { sid: w.alertShop.sid } },
  };
  return {
    'processors/set-site-processors': {
      ...owned,
      body: route({}),
      wrongBody: { routes: [undefined] },
      wrongParams: { sid: ['x'] },
      wrong: [
        { body: { routes: [[]] }, names: 'routes.0.processor' },
        { body: route({ processor: 'cash' }), names: 'routes.0.processor' },
        { body: route({ schemes: ['CASH'] }), names: 'routes.0.schemes.0' },
        { body: route({ currencies: ['DOLLAR'] }), names: 'routes.0.currencies.0' },
        { body: route({ min: '1e3' }), names: 'routes.0.min' },
        { body: route({ min: '20', max: '10' }), names: 'routes.0.max' },
        { body: route({ processor: 'stripe' }), names: 'routes.0.credentials' },
        { body: stripe({ secret_key: 'pk_live_1' }), names: 'routes.0.credentials.secret_key' },
        { body: stripe({ base_url: 'https://elsewhere.example' }), names: 'routes.0.credentials.base_url' },
        { body: route({ processor: 'adyen', id: 'rt_nobodys' }), names: 'routes.0.id' },
        { body: route({ processor: 'nmi', credentials: {} }), names: 'routes.0.credentials.security_key' },
        { body: route({ processor: 'braintree', credentials: {} }), names: 'routes.0.credentials.merchant_id' },
      ],
      refused: { ...site, changed_meanwhile: 'race' },
    },
    'processors/site-processors-details': { ...owned, wrongParams: { sid: ['x'] }, refused: site },
    'transactions/receive-processor-webhook': {
      params: { processor: 'stripe', sid: w.shop.sid },
      wrongParams: { sid: ['x'], processor: ['cash'] },
      refused: { signature_invalid: { headers: { 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` } } },
      alike: [{ params: { sid: w.othersShop.sid } }, { params: { sid: nobody } }],
    },
  };
};

/** Bad calls of every operation of the areas of payments, by its area and name. */
export const badPayments = (fixture: PaymentFixture): Record<string, BadCalls> => ({
  ...starting(fixture),
  ...followUps(fixture),
  ...ofAlerts(fixture),
  ...pages(fixture),
  ...processors(fixture),
  ...badAround(fixture),
});

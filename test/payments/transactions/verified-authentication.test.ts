import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { singleTxOrder } from '#payments/transactions/start/start-orders.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { mastercardNumbers, visaNumbers } from '#test/payments/threeds/contract.ts';
import {
  type Begun,
  cancel,
  create,
  readDetails,
  run,
  start,
  threeDsSiteOf,
  useThreeDsSandbox,
} from '#test/payments/threeds/shop.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { untilKilled, useMortality } from './killed-process.ts';
import { newShop, orderBody, pay, tryPay } from './shop.ts';
import { paymentAt, settleEverything } from './support.ts';

/** A payment that is made with an authentication of this service. */

useOperations();
useMortality();
const accounts = useAccounts();
useThreeDsSandbox();

let shop: Tenant;
let site: Tenant;
beforeAll(async () => {
  shop = await newShop();
  site = await threeDsSiteOf(shop);
});
beforeEach(() => routeTo(shop, { processor: 'sandbox' }));
afterEach(() => {
  setClock();
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
});

const amount = '10.00';
const yes = visaNumbers[2103];

const authenticated = async (number: string = yes, change = {}, at = site): Promise<Begun> => {
  const begun = await create(at, { amount, currency: 'USD', ...change });
  expect(await run(begun, number)).toMatchObject({ step: 'done' });
  return begun;
};
const withIt = ({ id }: Pick<Begun, 'id'>, number: string = yes, more = {}) => ({
  card_no: number,
  card_type: number.startsWith('4') ? 'VISA' : 'MASTERCARD',
  threeDSecure: JSON.stringify({ authentication_id: id, ...more }),
});

const mismatch = (words: string) => ({
  status: 409,
  body: { error_code: 'authentication_mismatch', error_msg: expect.stringContaining(words) },
});

describe('a payment with an authentication', () => {
  it.each([
    ['2003', visaNumbers[2003], 'OK', { outcome: 'authenticated', eci: '05', liability_shift: true }],
    ['2103', mastercardNumbers[2103], 'OK', { outcome: 'authenticated', eci: '02', liability_shift: true }],
    ['2123', visaNumbers[2123], 'OK', { outcome: 'attempted', eci: '06', liability_shift: true }],
    ['2143', visaNumbers[2143], 'OK', { outcome: 'informational', eci: '07', liability_shift: false }],
    ['2153', visaNumbers[2153], 'OK', { outcome: 'unavailable', transStatus: 'U' }],
    ['2163', visaNumbers[2163], 'OK', { outcome: 'unavailable', transStatus: null }],
    ['1072', visaNumbers[1072], 'OK', { outcome: 'unavailable', transStatus: null }],
    ['1111', '4000100111181111', 'OK', { outcome: 'unavailable', transStatus: null }],
    ['2113', visaNumbers[2113], 'EXC', { outcome: 'not_authenticated', transStatus: 'N' }],
    ['2133', visaNumbers[2133], 'EXC', { outcome: 'rejected', transStatus: 'R' }],
  ])('of a card that ends with %s', async (_ends, number, status, told) => {
    const begun = await authenticated(number);
    const { txid, ...result } = await pay(shop, amount, withIt(begun, number));
    expect(result).toMatchObject({ status, three_ds: { source: 'verified', authentication_id: begun.id, ...told } });
    if (status === 'EXC') expect(result).toMatchObject({ error_code: 'authentication_failed' });
    expect(await readDetails(begun)).toMatchObject({ used_by_txid: txid, authenticationValue: null });
  });

  it('that was canceled fails', async () => {
    const begun = await create(site, { amount, currency: 'USD' });
    await start(begun, visaNumbers[2072]);
    await cancel(begun, 'payer');
    expect(await pay(shop, amount, withIt(begun, visaNumbers[2072]))).toMatchObject({
      ...{ status: 'EXC', error_code: 'authentication_failed' },
      three_ds: { outcome: 'canceled' },
    });
  });

  it('that its site skips goes on without', async () => {
    const skipping = await threeDsSiteOf(shop, { servicesettings: { skip3d2: 1 } });
    const begun = await create(skipping, { amount, currency: 'USD' });
    expect(await pay(shop, amount, withIt(begun))).toMatchObject({
      status: 'OK',
      three_ds: { outcome: 'unavailable' },
    });
  });

  it('may be for less than the authenticated amount, but not for more', async () => {
    expect(await pay(shop, '9.99', withIt(await authenticated()))).toMatchObject({ status: 'OK' });
    expect(await tryPay(shop, '10.01', withIt(await authenticated()))).toMatchObject(mismatch('item_amount_unit'));
  });

  it('has to be of the same card and currency, done, and of today', async () => {
    const begun = await authenticated();
    expect(await tryPay(shop, amount, withIt(begun, visaNumbers[2003]))).toMatchObject(mismatch('card_no'));
    expect(await tryPay(shop, amount, { ...withIt(begun), currency: 'EUR' })).toMatchObject(mismatch('currency'));
    const open = await create(site, { amount, currency: 'USD' });
    expect(await tryPay(shop, amount, withIt(open))).toMatchObject(mismatch('authentication_id: is not done'));
    const then = nowMilliseconds() + 25 * 3_600_000;
    setClock(() => then);
    expect(await tryPay(shop, amount, withIt(begun))).toMatchObject(mismatch('24 hours'));
    setClock();
    // None of that has used it up.
    expect(await pay(shop, amount, withIt(begun))).toMatchObject({ status: 'OK' });
  });

  it('of another merchant is answered like none', async () => {
    const [theirs, strange] = [await authenticated(), await newShop()];
    const answers = [
      await tryPay(strange, amount, withIt(theirs)),
      await tryPay(strange, amount, withIt({ id: 999_999_999 })),
    ];
    expect(answers[0]).toMatchObject({ status: 404, body: { error_code: 'authentication_not_found' } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await pay(shop, amount, withIt(theirs))).toMatchObject({ status: 'OK' });
  });

  it('is not believed for what else the call says of it', async () => {
    const begun = await authenticated(visaNumbers[2113]);
    const claims = {
      transStatus: 'Y',
      eci: '05',
      authenticationValue: 'AAABBBCCCDDD',
      dsTransID: 'd-1',
      messageVersion: '2.2.0',
    };
    expect(await pay(shop, amount, withIt(begun, visaNumbers[2113], claims))).toMatchObject({
      ...{ status: 'EXC', error_code: 'authentication_failed' },
      three_ds: { source: 'verified', transStatus: 'N' },
    });
  });

  it('takes no value from any JSON that names one', () => {
    const { sid } = shop;
    const body = orderBody(shop, amount);
    const now = nowMilliseconds();
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        const threeDSecure = { ...more, authentication_id: 17 };
        const request = singleTxOrder({ sid, body: { ...body, threeDSecure } as never, proof: '', now });
        expect([request.authenticationId, request.threeDs]).toEqual([17, null]);
      }),
    );
  });

  it.each([[null], [0], [''], ['x'], [1.5], [[]]])(
    'named %j is refused, before anything is done',
    async (authentication_id) => {
      const answer = await tryPay(shop, amount, { threeDSecure: { authentication_id } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error_msg: expect.stringContaining('authentication_id') },
      });
    },
  );
});

describe('an authentication is used once', () => {
  it('whatever comes at the same time', async () => {
    const begun = await authenticated();
    const answers = await Promise.all([1, 2, 3, 4].map(() => tryPay(shop, amount, withIt(begun))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const paid = answers.find(({ status }) => status === 200)?.body as { txid: number };
    expect(await readDetails(begun)).toMatchObject({ used_by_txid: paid.txid });
    expect(await tryPay(shop, amount, withIt(begun))).toMatchObject(mismatch('another payment'));
  });

  it('by two who both read it before either wrote', async () => {
    const begun = await authenticated();
    const other = withIt(begun);
    beforeTransactions(async () => {
      beforeTransactions();
      expect(await pay(shop, amount, other)).toMatchObject({ status: 'OK' });
    });
    expect(await tryPay(shop, amount, withIt(begun))).toMatchObject(mismatch('another payment'));
  });

  it('and the same call again is answered from what it made, with a tid and without', async () => {
    for (const change of [{}, { tid: 'order-17' }]) {
      const begun = await authenticated();
      const body = orderBody(shop, amount, { ...withIt(begun), ...change });
      const first = await pay(shop, amount, body);
      expect(await pay(shop, amount, body)).toEqual(first);
      const both = await Promise.all([pay(shop, amount, body), pay(shop, amount, body)]);
      expect(both).toEqual([first, first]);
    }
  });

  it('by the same call sent several times at once', async () => {
    const begun = await authenticated();
    const body = orderBody(shop, amount, { ...withIt(begun), tid: 'order-18' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => pay(shop, amount, body)));
    expect(new Set(answers.map(({ txid }) => txid)).size).toBe(1);
  });

  it('and a payment that the fraud check refuses uses it too', async () => {
    const strict = await newShop();
    const own = await threeDsSiteOf(strict);
    const conditions = { all: [{ fact: 'currency', operator: 'equal', value: 'USD' }] };
    const rules = [{ name: 'Nobody', conditions, effect: { decision: 'REJECT' } }];
    await ruledBy(strict, rules);
    const begun = await authenticated(yes, {}, own);
    const { txid, ...result } = await pay(strict, amount, withIt(begun));
    expect(result).toMatchObject({ status: 'EXC', error_code: 'fraud_rejected' });
    expect(await readDetails(begun)).toMatchObject({ used_by_txid: txid });
  });

  it('with the routes that are tried one after the other', async () => {
    const nobody = await deadUrl();
    const down = stripeRoute(accounts.stripe);
    await routeTo(
      shop,
      { ...down, credentials: { ...Object(down['credentials']), base_url: nobody } },
      adyenRoute(accounts.adyen),
    );
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    const begun = await authenticated();
    const { txid, status } = await pay(shop, amount, withIt(begun));
    expect([status, (await paymentAt(txid)).processor]).toEqual(['OK', 'adyen']);
    expect(JSON.parse(String(accounts.adyen.requests.at(-1)?.body))).toMatchObject({
      mpiData: { directoryResponse: 'Y', eci: '05' },
    });
  });

  it.each(['before', 'after'] as const)('also where the payment is killed %s a call of the table', async (how) => {
    for (let dieAt = 1; dieAt <= 15; dieAt += 1) {
      const begun = await authenticated();
      const body = orderBody(shop, amount, { ...withIt(begun), tid: `killed-${how}-${dieAt}` });
      const died = await untilKilled(dieAt, how, () => tryPay(shop, amount, body));
      await settleEverything();
      const { txid, status } = await pay(shop, amount, body);
      await settleEverything();
      expect(status === 'OK' || (await paymentAt(txid)).status !== 'PEND').toBe(true);
      expect(await readDetails(begun)).toMatchObject({ used_by_txid: txid });
      expect(await getItem(keys.authenticationValue(begun.id))).not.toHaveProperty('sealed');
      setClock();
      if (!died) return;
    }
    throw new Error('More calls than a payment may make');
  });
});

describe('the processor receives the authentication', () => {
  it('in the fields that Stripe requires', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const begun = await authenticated(yes, { challenge: 'wanted' });
    const { authenticationValue, dsTransID } = await readDetails(begun);
    expect(await pay(shop, amount, withIt(begun))).toMatchObject({ status: 'OK' });
    const sent = new URLSearchParams(
      accounts.stripe.requests.findLast(({ path, method }) => method === 'POST' && path === '/v1/payment_intents')
        ?.body,
    );
    const said = (name: string) => sent.get(`payment_method_options[card][three_d_secure][${name}]`);
    expect({
      version: said('version'),
      cryptogram: said('cryptogram'),
      transaction_id: said('transaction_id'),
      electronic_commerce_indicator: said('electronic_commerce_indicator'),
      ares_trans_status: said('ares_trans_status'),
      requestor_challenge_indicator: said('requestor_challenge_indicator'),
    }).toEqual({
      version: '2.2.0',
      cryptogram: authenticationValue,
      transaction_id: dsTransID,
      electronic_commerce_indicator: '05',
      ares_trans_status: 'Y',
      requestor_challenge_indicator: '03',
    });
    expect(sent.get('error_on_requires_action')).toBe('true');
  });

  it('in the fields that Adyen requires', async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    const begun = await authenticated(visaNumbers[2123]);
    const { authenticationValue, dsTransID } = await readDetails(begun);
    expect(await pay(shop, amount, withIt(begun, visaNumbers[2123]))).toMatchObject({ status: 'OK' });
    const { mpiData } = JSON.parse(String(accounts.adyen.requests.at(-1)?.body));
    expect(mpiData).toEqual({
      threeDSVersion: '2.2.0',
      cavv: authenticationValue,
      dsTransID,
      directoryResponse: 'A',
      eci: '06',
    });
  });

  it('with the exemption that the issuer acknowledged', async () => {
    const number = visaNumbers[2143];
    const exempt = () => authenticated(number, { exemption: 'tra' });
    await routeTo(shop, stripeRoute(accounts.stripe));
    expect(await pay(shop, amount, withIt(await exempt(), number))).toMatchObject({ status: 'OK' });
    const intent = accounts.stripe.requests.findLast(({ path }) => path === '/v1/payment_intents');
    const sent = new URLSearchParams(intent?.body);
    expect(sent.get('payment_method_options[card][three_d_secure][exemption_indicator]')).toBe('low_risk');
    await routeTo(shop, adyenRoute(accounts.adyen));
    expect(await pay(shop, amount, withIt(await exempt(), number))).toMatchObject({ status: 'OK' });
    expect(JSON.parse(String(accounts.adyen.requests.at(-1)?.body))).toMatchObject({
      additionalData: { scaExemption: 'transactionRiskAnalysis' },
    });
  });

  it('not at all where there is nothing to tell', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const begun = await authenticated(visaNumbers[2153]);
    expect(await pay(shop, amount, withIt(begun, visaNumbers[2153]))).toMatchObject({ status: 'OK' });
    const last = accounts.stripe.requests.findLast(({ path }) => path === '/v1/payment_intents');
    expect(last?.body).not.toContain('three_d_secure');
  });

  it('and the sandbox’s issuer declines one that was made up', async () => {
    const made = { messageVersion: '2.2.0', authenticationValue: 'AAABBBCCCDDD', dsTransID: 'd-1', transStatus: 'Y' };
    expect(await pay(shop, amount, { threeDSecure: made })).toMatchObject({
      ...{ status: 'EXC', error_code: 'authentication_failed' },
      three_ds: { source: 'merchant', transStatus: 'Y' },
    });
    const { authenticationValue, dsTransID } = await readDetails(await authenticated());
    const told = { ...made, authenticationValue, dsTransID };
    expect(await pay(shop, amount, { threeDSecure: told })).toMatchObject({
      ...{ status: 'OK', three_ds: { source: 'merchant', transStatus: 'Y' } },
    });
    expect(await pay(shop, amount, { threeDSecure: { ...told, transStatus: 'A' } })).toMatchObject({ status: 'EXC' });
  });
});

const ruledBy = async ({ as, mid, rid, sid }: Tenant, rules: object[]): Promise<number> => {
  const { body } = await ask('datasources/add-fraud-template', { body: { name: `Of ${sid}`, scorer: 'none', rules } });
  const { id } = body as { id: number };
  const set = await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: { ftid: id } });
  expect(set.status).toBe(200);
  return id;
};

describe('the fraud check', () => {
  let strict: Tenant;
  let own: Tenant;
  beforeAll(async () => {
    strict = await newShop();
    own = await threeDsSiteOf(strict);
  });
  const everybody = (decision: string) => [
    {
      name: 'Everybody',
      conditions: { all: [{ fact: 'currency', operator: 'equal', value: 'USD' }] },
      effect: { decision },
    },
  ];

  it.each([
    ['authenticated', visaNumbers[2103], 'OK'],
    ['attempted', visaNumbers[2123], 'OK'],
    ['informational', visaNumbers[2143], 'PEND'],
    ['unavailable', visaNumbers[2153], 'PEND'],
    ['rejected', visaNumbers[2133], 'EXC'],
  ])('that asks for 3DS has one that is %s of ours: the payment is %s', async (_outcome, number, status) => {
    await ruledBy(strict, everybody('3DS'));
    const begun = await authenticated(number, {}, own);
    expect(await pay(strict, amount, withIt(begun, number))).toMatchObject({ status, fraud: { decision: '3DS' } });
  });

  it('can ask whose word it is', async () => {
    const rule = (value: string, decision: string) => ({
      name: value,
      conditions: { all: [{ fact: 'three_ds_source', operator: 'equal', value }] },
      effect: { decision },
    });
    await ruledBy(strict, [rule('Merchant', 'REJECT'), rule('none', 'REVIEW')]);
    const begun = await authenticated(yes, {}, own);
    const { authenticationValue, dsTransID } = await readDetails(begun);
    const told = { messageVersion: '2.2.0', authenticationValue, dsTransID, transStatus: 'Y' };
    expect(await pay(strict, amount, { threeDSecure: told })).toMatchObject({ fraud: { decision: 'REJECT' } });
    expect(await pay(strict, amount)).toMatchObject({ fraud: { decision: 'REVIEW' } });
    expect(await pay(strict, amount, withIt(begun))).toMatchObject({ status: 'OK', fraud: { decision: 'ACCEPT' } });
  });
});

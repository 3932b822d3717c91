import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { withLuhnDigit } from '#core/kernel/card/luhn.ts';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { toEntryItem } from '#core/platform/entries/entry-row.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems, transact } from '#core/platform/table/table.ts';
import { includedTemplate, type Template } from '#payments/fraud/template/template.ts';
import { templateWrites } from '#payments/fraud/template/template-row.ts';
import { orderHash, siteHash } from '#payments/payments/order/hashes.ts';
import { sandboxValueOf } from '#payments/processors/sandbox/sandbox-authentication.ts';
import { toAuthenticationItem } from '#payments/threeds/authentication/authentication-row.ts';
import { balanceKeys, balanceShards } from '#payments/transactions/ledger/ledger-funds-row.ts';
import { fromLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { created } from '#test/payments/threeds/samples.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import {
  expectedVrfy,
  newShop,
  okResult,
  orderBody,
  pay,
  preauth,
  readStatus,
  testCards,
  tryPay,
  tryPayout,
} from './shop.ts';

useOperations();

let shop: Tenant;
beforeAll(async () => {
  process.env['ALLOW_SANDBOX'] = 'true';
  shop = await newShop();
});
afterEach(() => {
  setClock();
  process.env['ALLOW_SANDBOX'] = 'true';
});

const readLedger = async (txid: number) => fromLedgerItem((await getItem(keys.ledger(txid))) ?? {});
const listPosts = async (sid: number) => {
  const { items } = await queryItems({
    IndexName: 'list4',
    KeyConditionExpression: 'list4Pk = :list',
    ExpressionAttributeValues: { ':list': `DELIVERY#S${sid}` },
  });
  return Promise.all(items.map(({ pk, sk }) => getItem({ pk: String(pk), sk: String(sk) })));
};

describe('singletx', () => {
  it('charges: the result, its ledger, the postback, and how it is found again', async () => {
    const own = await newShop();
    const result = await pay(own, '10.50', { tid: 'order-1', ref1: 'a', ref4: 'd', reference: 'R' });
    expect(result).toEqual({
      sid: own.sid,
      tid: 'order-1',
      txid: expect.any(Number),
      parent_txid: result.txid,
      status: 'OK',
      tx_action: 'PAYMENT',
      amount: 10.5,
      amount_text: '10.50',
      currency: 'USD',
      reference: 'R',
      ref1: 'a',
      ref2: '',
      ref3: '',
      ref4: 'd',
      vrfy: expectedVrfy(own, result),
    });
    expect(await readLedger(result.txid)).toMatchObject({
      authorized: 1050n,
      captured: 1050n,
      refunded: 0n,
      inFlight: {},
    });
    const [delivery] = await listPosts(own.sid);
    expect(delivery).toMatchObject({
      kind: 'postback',
      postbackUrl: 'https://shop.example.com/postback',
      state: 'PENDING',
    });
    expect(JSON.parse(String(delivery?.['body']))).toEqual(result);
    expect(await readStatus(own, result.txid)).toMatchObject(result);
  });

  it('only authorises a PREAUTH', async () => {
    const result = await preauth(shop, '10.00');
    expect(result).toMatchObject({ status: 'OK', tx_action: 'PREAUTH' });
    expect(await readLedger(result.txid)).toMatchObject({ authorized: 1000n, captured: 0n });
  });

  it('answers a decline as a result, with what it means', async () => {
    const result = await pay(shop, '10.00', { card_no: testCards.declined });
    expect(result).toMatchObject({ status: 'EXC', error_code: 'card_declined', error_msg: 'The card was declined' });
    expect(result.vrfy).toBe(expectedVrfy(shop, result));
    expect(await readLedger(result.txid)).toMatchObject({ authorized: 0n, captured: 0n, inFlight: {} });
  });

  it('adds up the cart: quantities, shipping, tax and coupon', async () => {
    const cart = {
      item_name: ['One', 'Two'],
      item_quantity: [2, '3'],
      item_amount_unit: ['1.50', 2],
      amount_shipping: '1.00',
      amount_tax: 0.25,
      amount_coupon: '0.50',
    };
    expect(await pay(shop, '9.75', cart)).toMatchObject({ status: 'OK', amount: 9.75 });
  });

  it('takes a form, with empty fields for what is not there', async () => {
    const { item_name, item_amount_unit, ...fields } = orderBody(shop, '10.00', { tid: '', phone: '', amount_tax: '' });
    const form = new URLSearchParams(fields as Record<string, string>);
    for (const name of item_name as string[]) form.append('item_name[]', name);
    for (const amount of item_amount_unit as string[]) form.append('item_amount_unit[]', amount);
    expect(okResult(await ask('transactions/singletx', { params: { id: shop.sid }, body: form }))).toMatchObject({
      status: 'OK',
    });
  });

  it('reads a card number that JSON has as a number', async () => {
    const { card_no: _, ...body } = orderBody(shop, '10.00');
    const text = JSON.stringify(body).replace(/}$/, `,"card_no":${testCards.good}}`);
    expect(okResult(await ask('transactions/singletx', { params: { id: shop.sid }, rawBody: text }))).toMatchObject({
      status: 'OK',
    });
  });

  it('charges the card of 19 digits that JSON has as a number, and not the one it would be rounded to', async () => {
    const { card_no: _, ...body } = orderBody(shop, '10.00');
    // As a double it is 4539148803436471000, which has a right check digit too.
    const text = JSON.stringify(body).replace(/}$/, ',"card_no":4539148803436470531}');
    const result = okResult(await ask('transactions/singletx', { params: { id: shop.sid }, rawBody: text }));
    expect(result).toMatchObject({ status: 'OK' });
    const item = await getItem(keys.transaction(result.txid));
    expect(item?.['transaction']).toMatchObject({ card: { first6: '453914', last4: '0531' } });
  });

  it('refuses amounts that JSON writes otherwise than in plain digits', async () => {
    for (const amount of ['1e1', '1E+1', '10.00000000000000001', '-0']) {
      const text = JSON.stringify(orderBody(shop, '10.00')).replace('["10.00"]', `[${amount}]`);
      expect(await ask('transactions/singletx', { params: { id: shop.sid }, rawBody: text })).toMatchObject({
        status: 400,
        body: { error_msg: expect.stringContaining('item_amount_unit.0: must be a decimal') },
      });
    }
  });

  it('keeps apart two orders whose tids are not UTF-8', async () => {
    for (const tid of ['caf%E9', 'caf%E8']) {
      const { item_name: _, item_amount_unit: __, ...fields } = orderBody(shop, '10.00');
      const form = new URLSearchParams(fields as Record<string, string>);
      const text = `${form}&item_name[]=One&item_amount_unit[]=10.00&tid=${tid}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await ask('transactions/singletx', { params: { id: shop.sid }, rawBody: text, headers })).toMatchObject({
        status: 400,
        body: { error_msg: 'tid: must be UTF-8, percent-encoded.' },
      });
    }
  });

  it('gives a CVV that JSON has as a number the zeros it lost', async () => {
    expect(await pay(shop, '10.00', { card_ccv: 12 })).toMatchObject({ status: 'OK' });
    const amex = { card_type: 'AMEX', card_no: '378282246310005', card_ccv: 12 };
    expect(await pay(shop, '10.00', amex)).toMatchObject({ status: 'OK' });
  });

  it.each([
    ['JPY', '1050', 1050],
    ['KWD', '1.050', 1.05],
  ])('knows the decimals of %s', async (currency, amount, shown) => {
    const result = await pay(shop, amount, { currency });
    expect(result).toMatchObject({ status: 'OK', amount: shown, currency, vrfy: expectedVrfy(shop, result) });
  });

  it('leaves a payment pending whose processor has not decided', async () => {
    const result = await pay(shop, '10.61');
    expect(result).toMatchObject({ status: 'PEND' });
    expect(await readLedger(result.txid)).toMatchObject({
      captured: 0n,
      inFlight: { [result.txid]: { kind: 'AUTH' } },
    });
  });

  it('sends the payer elsewhere, or asks for a code', async () => {
    expect((await pay(shop, '10.63')).next_action).toEqual({
      type: 'redirect',
      url: expect.stringContaining('/sandbox/pay/'),
    });
    expect((await pay(shop, '10.64')).next_action).toMatchObject({ type: 'otp', channel: 'SMS' });
  });

  it('keeps an answer that was lost as pending', async () => {
    expect(await pay(shop, '10.62')).toMatchObject({ status: 'PEND' });
  });
});

describe('a state', () => {
  const place = (country: string | undefined, state: string) => ({ country, state });

  it.each([
    ['US', 'or'],
    ['us', 'OR'],
    ['CA', 'Qc'],
    ['AU', 'WA'],
    ['AU', 'nsw'],
    ['AU', ''],
    ['US', undefined],
    ['DE', 'Nordrhein-Westfalen'],
    [undefined, 'Oregon'],
  ])('of %s may be %s', async (country, state) => {
    const change = { country, state, shipping_country: country, shipping_state: state };
    expect(await pay(shop, '10.00', change)).toMatchObject({ status: 'OK' });
  });

  it.each([
    [place('US', 'Oregon'), 'state: must be two letters for US, such as NY'],
    [place('us', 'O1'), 'state: must be two letters for US, such as NY'],
    [place('CA', 'O'), 'state: must be two letters for CA, such as ON'],
    [place('AU', 'N'), 'state: must be two or three letters for AU, such as NSW'],
    [place('AU', 'NSWX'), 'state: must be two or three letters for AU, such as NSW'],
    [{ shipping_country: 'US', shipping_state: 'Oregon', ...place('DE', 'Oregon') }, 'shipping_state: must be two'],
  ])('is refused in %j', async (change, words) => {
    const { status, body } = await tryPay(shop, '10.00', change);
    expect({ status, body }).toMatchObject({ status: 400, body: { error_code: 'request_invalid' } });
    expect((body as { error_msg: string }).error_msg).toContain(words);
  });

  it('is refused in both places at once, and of a payee too', async () => {
    const both = { shipping_country: 'CA', shipping_state: 'Ontario', ...place('US', 'New York') };
    expect((await tryPay(shop, '10.00', both)).body).toMatchObject({
      error_msg: expect.stringMatching(/\bstate: .*; shipping_state: /),
    });
    expect(await tryPayout(shop, '5.00', place('US', 'New York'))).toMatchObject({
      status: 400,
      body: { error_msg: expect.stringContaining('state: must be two letters') },
    });
  });
});

describe('a tid', () => {
  it('is charged once, however often and with whatever timestamp it is sent', async () => {
    const first = await pay(shop, '10.00', { tid: 'T1' });
    setClock(() => Date.now() + 60_000);
    expect(await pay(shop, '10.00', { tid: 'T1' })).toEqual(first);
  });

  it('is charged once by many at the same moment', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => pay(shop, '11.00', { tid: 'T2' })));
    expect(new Set(results.map(({ txid }) => txid)).size).toBe(1);
  });

  it('is refused with another body', async () => {
    await pay(shop, '10.00', { tid: 'T3' });
    for (const change of [{ card_no: testCards.mastercard, card_type: 'MASTERCARD' }, { email: 'other@example.com' }]) {
      const answer = await tryPay(shop, '10.00', { tid: 'T3', ...change });
      expect(answer).toMatchObject({ status: 409, body: { status: 'EXC', error_code: 'tid_reused' } });
    }
    expect(await tryPay(shop, '10.01', { tid: 'T3' })).toMatchObject({ status: 409 });
  });

  it('belongs to its site', async () => {
    const other = await newShop();
    const [one, two] = [await pay(shop, '10.00', { tid: 'T4' }), await pay(other, '10.00', { tid: 'T4' })];
    expect(one.txid).not.toBe(two.txid);
  });
});

describe('refuses', () => {
  const wrong: [string, Record<string, unknown>, string][] = [
    ['a wrong check digit', { card_no: '4242424242424241' }, 'card_no: has a wrong check digit'],
    ['a scheme that is not the number’s', { card_type: 'AMEX' }, 'card_type: is AMEX'],
    ['no card', { card_no: '' }, 'card_no: is required'],
    ['a CVV of two digits as text', { card_ccv: '12' }, 'card_ccv: must have 3 digits'],
    ['a CVV that is a longer number', { card_ccv: 9876 }, 'card_ccv: must have 3 digits'],
    ['no CVV', { card_ccv: undefined }, 'card_ccv: is required'],
    ['an expired card', { card_exp_year: '2020' }, 'card_exp_year: the card has expired'],
    ['a month without its zero', { card_exp_month: '5' }, 'card_exp_month: must be 01 to 12'],
    ['an exponent', { item_amount_unit: ['1e3'] }, 'item_amount_unit.0: must be a decimal'],
    ['separators', { item_amount_unit: ['1,000.00'] }, 'item_amount_unit.0: must be a decimal'],
    ['too many decimals', { item_amount_unit: ['10.001'] }, 'item_amount_unit.0: has more decimals'],
    ['a coupon above the sum', { amount_coupon: '11' }, 'amount_coupon:'],
    ['lists of different lengths', { item_name: ['a', 'b'] }, 'item_name: must have as many'],
    ['a tx_action that is none of these', { tx_action: 'REFUND' }, 'tx_action: must be one of'],
    ['an unknown currency', { currency: 'XXY' }, 'currency: must be a currency code'],
    ['a postback to http', { postback_url: 'http://shop.example.com' }, 'postback_url: must begin with https'],
    ['a postback to a private host', { postback_url: 'https://10.0.0.1/' }, 'postback_url: '],
    ['an old timestamp', { timestamp: '1500000000' }, 'timestamp: is more than 15 minutes'],
    ['a timestamp that is none', { timestamp: 'now' }, 'timestamp: must be Unix seconds'],
    ['a half 3DS result', { threeDSecure: '{"a"' }, 'threeDSecure: must be a JSON object'],
  ];
  it.each(wrong)('%s', async (_, change, words) => {
    const { status, body } = await tryPay(shop, '10.00', change);
    expect({ status, body }).toMatchObject({ status: 400, body: { status: 'EXC', error_code: 'request_invalid' } });
    expect((body as { error_msg: string }).error_msg).toContain(words);
    expect(JSON.stringify(body)).not.toMatch(/\d{12}/);
  });

  it('its own card in a reference, though that begins like the time of an order', async () => {
    const card_no = withLuhnDigit(`${nowIso().replace(/\D/g, '').slice(2, 14)}123`);
    const sent = { card_no, card_type: 'MASTERCARD', tid: `order ${card_no}` };
    expect(await tryPay(shop, '10.00', sent)).toMatchObject({
      ...{ status: 400, body: { error_msg: 'tid: must not hold a card number' } },
    });
  });

  it('a hash that is not of this amount, site or rcode, and a site that does not exist, alike', async () => {
    const other = await newShop();
    const answers = await Promise.all([
      tryPay(shop, '10.00', { item_amount_unit: ['11.00'] }),
      tryPay({ ...shop, rcode: other.rcode }, '10.00'),
      tryPay({ ...shop, sid: 999_999 }, '10.00'),
    ]);
    const words = (total: string) => `hash: must be .*; the total amount is ${total} and the currency USD\\.`;
    for (const [index, answer] of answers.entries()) {
      const error_msg = expect.stringMatching(words(index === 0 ? '11.00' : '10.00'));
      expect(answer).toMatchObject({ status: 401, body: { status: 'EXC', error_code: 'hash_wrong', error_msg } });
    }
    expect(answers[2]).toEqual({ ...answers[1], headers: expect.anything() });
  });

  it('a site that is not for payments', async () => {
    const plain = await newTenant();
    expect(await tryPay(plain, '10.00')).toMatchObject({ status: 409, body: { error_code: 'site_not_for_payments' } });
    expect(await tryPayout(plain, '10.00')).toMatchObject({
      status: 409,
      body: { error_code: 'site_not_for_payments' },
    });
  });

  it('as a result, where the site has no processor', async () => {
    process.env['ALLOW_SANDBOX'] = 'false';
    expect(await pay(shop, '10.00')).toMatchObject({ status: 'EXC', error_code: 'no_processor' });
  });
});

describe('getstatus', () => {
  it('answers a number that is in no use like a wrong hash', async () => {
    const { txid } = await pay(shop, '10.00');
    const other = await newShop();
    const hashOf = ({ sid, rcode }: Tenant) => ({ hash: siteHash(sid, rcode) });
    const answers = await Promise.all([
      ask('transactions/getstatus', { params: { id: txid }, query: hashOf(other) }),
      ask('transactions/getstatus', { params: { id: 1 }, query: hashOf(shop) }),
    ]);
    expect(answers[0]).toMatchObject({ status: 401, body: { error_code: 'hash_wrong' } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});

describe('what does not exist', () => {
  it('is looked for as long as what does', async () => {
    const { txid } = await pay(shop, '10.00');
    const { send } = DynamoDBDocumentClient.prototype;
    const callsOf = async (id: number) => {
      const before = vi.mocked(send).mock.calls.length;
      await ask('transactions/getstatus', { params: { id }, query: { hash: '0'.repeat(32) } });
      return vi.mocked(send).mock.calls.length - before;
    };
    expect(await callsOf(1)).toBe(await callsOf(txid));
    const nobodys = [await openRcodes(undefined, nowIso()), await openRcodes(undefined, nowIso())].flat();
    expect(nobodys).toEqual([expect.stringMatching(/^\w{32}$/), expect.stringMatching(/^\w{32}$/)]);
    expect(new Set(nobodys).size).toBe(2);
  });
});

describe('a payment whose fraud check asks for 3DS', () => {
  const whole = { messageVersion: '2.2.0', authenticationValue: 'AAABBBCCCDDD', dsTransID: 'd-1', eci: '05' };
  let strict: Tenant;
  beforeAll(async () => {
    const ftid = 3001;
    await putItem(toEntryItem('fraudtemplate', { id: ftid, name: 'Strict', description: '' }));
    const thresholds = { review: null, three_ds: 0, reject: null };
    await transact({
      rows: templateWrites({ ...includedTemplate(ftid), scorer: 'none', thresholds, rules: [], ftid, version: 1 }, 0),
    });
    strict = await newShop({ ftid });
  });

  it.each([
    ['none', undefined],
    ['one that failed', { ...whole, transStatus: 'N' }],
    ['one that was rejected', { ...whole, transStatus: 'R' }],
  ])('sends the payer to their issuer with %s', async (_, result) => {
    const sent = result && { threeDSecure: JSON.stringify(result) };
    expect(await pay(strict, '10.00', sent)).toMatchObject({ status: 'PEND', next_action: { type: 'redirect' } });
  });

  it.each([
    ['an empty one', {}, 'threeDSecure.version: is required'],
    ['half of one', { eci: '05', transStatus: 'Y' }, 'threeDSecure.dsTransID: is required'],
    ['a misspelt one', { ...whole, messageVersion: 2 }, 'threeDSecure.messageVersion: must be 2.1.0'],
  ])('refuses a result that no issuer would accept: %s', async (_, result, words) => {
    const sent = { threeDSecure: JSON.stringify(result) };
    const refused = { status: 400, body: { error_msg: expect.stringContaining(words) } };
    expect(await tryPay(strict, '10.00', sent)).toMatchObject(refused);
  });

  it('says in which form a result was passed on', async () => {
    const authenticationValue = sandboxValueOf(await keyRing('encryption'), {
      dsTransId: whole.dsTransID,
      transStatus: 'Y',
    });
    const threeDSecure = JSON.stringify({ ...whole, version: '2.2', eci: 5, transStatus: 'y', authenticationValue });
    expect(await pay(strict, '10.00', { threeDSecure })).toMatchObject({
      ...{ status: 'OK', three_ds: { source: 'merchant', transStatus: 'Y', eci: '05' } },
    });
  });

  it.each(['Y', 'A', undefined])('is made with a whole result of status %s', async (transStatus) => {
    const authenticated = { dsTransId: whole.dsTransID, transStatus: transStatus ?? 'Y' };
    const authenticationValue = sandboxValueOf(await keyRing('encryption'), authenticated);
    const threeDSecure = JSON.stringify({ ...whole, transStatus, authenticationValue });
    expect(await pay(strict, '10.00', { threeDSecure })).toMatchObject({ status: 'OK' });
  });

  it('that is declined takes away the order that it brought, where its merchant keeps orders', async () => {
    const keeping = await newShop({}, { order_insights: true, oi_merchant_id: 'oi-start' });
    const { txid, status } = await pay(keeping, '10.00', { card_no: testCards.declined });
    expect([status, await getItem(keys.orderPlace(txid))]).toEqual(['EXC', undefined]);
  });

  it('is not made with an authentication that is another merchant’s, or not its own', async () => {
    await putItem(toAuthenticationItem(created({ id: 71, mid: strict.mid })));
    await putItem(toAuthenticationItem(created({ id: 72, mid: shop.mid })));
    const named = (authentication_id: number) => tryPay(strict, '10.00', { threeDSecure: { authentication_id } });
    expect(await named(71)).toMatchObject({ status: 409, body: { error_code: 'authentication_mismatch' } });
    expect(await named(72)).toMatchObject({ status: 404, body: { error_code: 'authentication_not_found' } });
  });
});

it('names in warnings what was shortened or normalized of a sale', async () => {
  const texts = {
    item_name: ['x'.repeat(300)],
    item_no: ['y'.repeat(101)],
    phone: 'z'.repeat(50),
    firstname: 'x'.repeat(101),
  };
  expect(await pay(shop, '10.00', { ...texts, email: 'info@müller.de' })).toMatchObject({
    status: 'OK',
    warnings: expect.toSatisfy(
      (warnings: string[]) =>
        ['item_name.0', 'item_no.0', 'phone', 'firstname'].every((name) =>
          warnings.some((one) => one.startsWith(`${name}: was shortened to `)),
        ) && warnings.includes('email: was normalized'),
    ),
  });
});

describe('a list as PHP writes it', () => {
  it.each([
    ['from 0', { 0: 'Tea', 1: 'Cup' }, { 0: '4.00', 1: '6.00' }],
    ['from 1', { 1: 'Tea', 2: 'Cup' }, { 1: '4.00', 2: '6.00' }],
    ['with a gap', { 0: 'Tea', 7: 'Cup' }, { 0: '4.00', 7: '6.00' }],
    ['over ten', { 2: 'Tea', 10: 'Cup' }, { 2: '4.00', 10: '6.00' }],
  ])('is a list: %s', async (_, item_name, item_amount_unit) => {
    expect(await pay(shop, '10.00', { item_name, item_amount_unit })).toMatchObject({
      status: 'OK',
      amount_text: '10.00',
    });
  });

  it('is none with other names', async () =>
    expect(await tryPay(shop, '10.00', { item_name: { first: 'Tea' } })).toMatchObject({
      ...{ status: 400, body: { error_msg: expect.stringContaining('item_name: must be a list') } },
    }));
});

describe('payout', () => {
  const short = { status: 409, body: { status: 'EXC', error_code: 'insufficient_funds' } };
  const fundsOf = async ({ sid }: Tenant) => {
    const rows = await Promise.all(balanceKeys(sid).map((key) => getItem(key)));
    const sum = (name: string) => rows.reduce((total, row) => total + Number(row?.[name] ?? 0), 0);
    return { available: sum('available#USD'), reserved: sum('reserved#USD') };
  };

  it('spreads the funds of a site over its rows, by payment', async () => {
    const own = await newShop();
    const rows = new Set<number>();
    for (let n = 0; n < 200 && rows.size < balanceShards; n += 1) {
      rows.add((await pay(own, '1.00')).txid % balanceShards);
    }
    expect(rows.size).toBe(balanceShards);
    const held = await Promise.all(balanceKeys(own.sid).map((key) => getItem(key)));
    expect(held.filter((row) => Number(row?.['available#USD'] ?? 0) >= 100)).toHaveLength(balanceShards);
  });

  it('sends money, keeps it back first, and takes it from the balance', async () => {
    const own = await newShop();
    await pay(own, '10.00');
    const result = okResult(await tryPayout(own, '10.00', { tid: 'P1' }));
    expect(result).toMatchObject({ status: 'OK', tx_action: 'PAYOUT', amount: 10, vrfy: expectedVrfy(own, result) });
    expect(await readLedger(result.txid)).toMatchObject({ paidOut: 1000n, inFlight: {} });
    expect(await fundsOf(own)).toEqual({ available: 0, reserved: 0 });
    expect(okResult(await tryPayout(own, '10.00', { tid: 'P1' }))).toEqual(result);
    expect(await tryPayout(own, '11.00', { tid: 'P1' })).toMatchObject({
      status: 409,
      body: { error_code: 'tid_reused' },
    });
  });

  it('never exceeds the balance in its currency, with or without a card', async () => {
    const own = await newShop();
    expect(await tryPayout(own, '0.01')).toMatchObject(short);
    await pay(own, '104.11');
    await pay(own, '500.00', { currency: 'EUR' });
    expect(await tryPayout(own, '1000000.00')).toMatchObject(short);
    const { body } = await tryPayout(own, '104.12');
    expect(body).toMatchObject({ error_msg: 'amount: the site has 104.11 USD available' });
    expect(await tryPayout(own, '104.12', { card_no: undefined, card_ccv: undefined })).toMatchObject(short);
    expect(await fundsOf(own)).toEqual({ available: 10_411, reserved: 0 });
    expect(okResult(await tryPayout(own, '104.11'))).toMatchObject({ status: 'OK' });
    expect(await tryPayout(own, '0.01')).toMatchObject(short);
  });

  it('never exceeds the balance when several payouts run concurrently', async () => {
    const own = await newShop();
    for (const amount of ['10.00', '20.00', '30.00', '40.00']) await pay(own, amount);
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryPayout(own, '30.00')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(short);
    expect(await fundsOf(own)).toEqual({ available: 1000, reserved: 0 });
  });

  it('refuses nothing at all, and a wrong hash', async () => {
    expect(await tryPayout(shop, '0')).toMatchObject({ status: 400 });
    // As a JSON number it would not be what `vrfy` is made of.
    expect(await tryPayout(shop, '99999999999999.99')).toMatchObject({ status: 400 });
    expect(await tryPayout(shop, '9999999999999.99')).toMatchObject(short);
    expect(await tryPayout(shop, '10.00', { hash: '0'.repeat(32) })).toMatchObject({ status: 401 });
  });
});

it('charges a card again without its code, where the site does that', async () => {
  const again = await newShop({ allow_rebilling: 1 });
  await pay(again, '10.00');
  expect(await pay(again, '11.00', { card_ccv: undefined })).toMatchObject({ status: 'OK' });
});

it.each(['transactions/singletx', 'transactions/payout'])('%s does what it declares', (operation) => {
  expectDeclared(operation);
});

describe('a rule about velocities', () => {
  let counted: Tenant;
  beforeAll(async () => {
    const ftid = 3002;
    await putItem(toEntryItem('fraudtemplate', { id: ftid, name: 'Counted', description: '' }));
    const often = { fact: 'velocity_count', operator: 'greaterThan', value: 3, params: { of: 'card', window: '1h' } };
    const template: Template = {
      ...includedTemplate(ftid),
      scorer: 'none',
      thresholds: { review: null, three_ds: null, reject: null },
      rules: [{ name: 'Often', conditions: { all: [often] }, effect: { decision: 'REJECT' } }],
    };
    await transact({ rows: templateWrites(template, 0) });
    counted = await newShop({ ftid });
  });
  const decisionOf = async ({ txid }: { txid: number }) => {
    const { transaction } = (await getItem(keys.transaction(txid))) as { transaction?: Transaction };
    return transaction?.fraud?.decision;
  };

  it('lets no more through than it allows when many pay at the same time', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => pay(counted, '10.00', { tid: `fast-${n}` })),
    );
    const decisions = await Promise.all(results.map(decisionOf));
    const accepted = decisions.filter((decision) => decision === 'ACCEPT').length;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThanOrEqual(3);
    expect(decisions.filter((decision) => decision === undefined)).toEqual([]);
    // A payment that was overtaken again and again is reviewed by a person.
    for (const [index, decision] of decisions.entries()) {
      expect([decision, results[index]?.status]).toEqual([decision, decision === 'REJECT' ? 'EXC' : 'OK']);
    }
  });

  it('counts one after the other as before', async () => {
    const other = { card_no: testCards.mastercard, card_type: 'MASTERCARD' };
    const statuses: string[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await pay(counted, '10.00', { ...other, tid: `slow-${n}` })).status);
    expect(statuses).toEqual(['OK', 'OK', 'OK', 'EXC', 'EXC']);
  });
});

describe('the hash of an order', () => {
  const start = (operation: 'transactions/singletx' | 'transactions/payout', body: Record<string, unknown>) =>
    ask(operation, { params: { id: shop.sid }, body });
  const needsTid = {
    status: 409,
    body: { error_code: 'tid_needed', error_msg: expect.stringContaining('Send a tid') },
  };

  it('makes one payment, however often the same call is sent', async () => {
    const body = orderBody(shop, '12.34');
    const first = okResult(await start('transactions/singletx', body));
    expect(okResult(await start('transactions/singletx', body))).toEqual(first);
    const [one, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => orderBody(shop, '12.35')).flatMap((order) =>
        [order, order].map((same) => start('transactions/singletx', same)),
      ),
    ).then((answers) => answers.map((answer) => okResult(answer).txid));
    expect(new Set([one, ...others]).size).toBe(5);
  });

  it('pays each of several orders of one price that are signed in the same second', async () => {
    const body = orderBody(shop, '12.38');
    const orders = Array.from({ length: 6 }, (_, n) => ({
      ...body,
      tid: `same-second-${n}`,
      email: `p${n}@shop.example`,
    }));
    const results = (await Promise.all(orders.map((order) => start('transactions/singletx', order)))).map(okResult);
    expect(results.map(({ status }) => status)).toEqual(orders.map(() => 'OK'));
    expect(new Set(results.map(({ txid }) => txid)).size).toBe(orders.length);
    for (const [n, order] of orders.entries()) {
      expect(okResult(await start('transactions/singletx', order)).txid).toBe(results[n]?.txid);
    }
    expect(await start('transactions/singletx', { ...orders[0], email: 'other@shop.example' })).toMatchObject({
      status: 409,
      body: { error_code: 'tid_reused' },
    });
  });

  it('accepts a timestamp in milliseconds, and hashes it as it was sent', async () => {
    const timestamp = String(nowMilliseconds());
    const order = { sid: shop.sid, timestamp, total: '12.39', currency: 'USD' };
    const body = orderBody(shop, '12.39', { timestamp, hash: orderHash(order, shop.rcode) });
    expect(okResult(await start('transactions/singletx', body))).toMatchObject({ status: 'OK' });
    expect(await start('transactions/singletx', { ...body, timestamp: timestamp.slice(0, 10) })).toMatchObject({
      status: 401,
      body: { error_code: 'hash_wrong' },
    });
  });

  it('is no proof of another body or another operation', async () => {
    const body = orderBody(shop, '12.36');
    const { txid } = okResult(await start('transactions/singletx', body));
    const changes = [
      { card_no: testCards.mastercard, card_type: 'MASTERCARD' },
      { postback_url: 'https://elsewhere.example.com/' },
      { tx_action: 'PREAUTH' },
    ];
    for (const change of changes) {
      expect(await start('transactions/singletx', { ...body, ...change })).toMatchObject(needsTid);
    }
    const { item_name, item_amount_unit, tx_action, card_type, ...rest } = body;
    expect(await start('transactions/payout', { ...rest, amount: '12.36' })).toMatchObject(needsTid);
    const paidOut = orderBody(shop, '0.01');
    const { item_name: _, item_amount_unit: __, tx_action: ___, card_type: ____, ...fields } = paidOut;
    const first = okResult(await start('transactions/payout', { ...fields, amount: '0.01' }));
    expect(okResult(await start('transactions/payout', { ...fields, amount: '0.01' })).txid).toBe(first.txid);
    expect(await start('transactions/singletx', paidOut)).toMatchObject(needsTid);
    expect(okResult(await start('transactions/singletx', body)).txid).toBe(txid);
  });

  it('is kept as a digest that goes after half an hour', async () => {
    const body = orderBody(shop, '12.37');
    const { txid } = okResult(await start('transactions/singletx', body));
    const row = await getItem(keys.orderHash(shop.sid, sha256(String(body['hash']))));
    expect(row).toMatchObject({ entity: 'ORDER_CLAIM', txid });
    expect(JSON.stringify(row)).not.toContain(String(body['hash']));
    const minutes = (Number(row?.['ttl']) - Date.now() / 1000) / 60;
    expect([minutes > 30, minutes < 33]).toEqual([true, true]);
  });
});

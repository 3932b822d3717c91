import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { operations } from '#functions/operations.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { newThreeDsSite, createBody as threeDsBody, useThreeDsSandbox } from '#test/payments/threeds/shop.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { newShop, okResult, orderBody, pay, preauth, testCards, tryPay } from './shop.ts';
import { useSandbox } from './support.ts';

useOperations();
useSandbox();
useThreeDsSandbox();

let shop: Tenant;
beforeAll(async () => {
  shop = await newShop();
});

type Fields = Record<string, unknown>;
const seconds = (): number => Math.floor(Date.now() / 1000);
const signHeader = (rcode: string, body: string, time = seconds()): string =>
  `t=${time},v1=${hmacSha256(rcode, `${time}.${body}`)}`;

type Sent = { params: Record<string, number>; query?: Record<string, string>; body?: Fields; header?: string };
/** Calls an operation without hash and timestamp, its body signed with the rcode. */
const sendSigned = (operation: string, { sid: _, rcode }: Tenant, sent: Sent): Promise<Answer> => {
  const { hash, timestamp, ...fields } = sent.body ?? {};
  const rawBody = sent.body ? JSON.stringify(fields) : '';
  return ask(operation, {
    params: sent.params,
    ...(sent.query && { query: sent.query }),
    ...(sent.body && { rawBody }),
    headers: { 'x-signature': sent.header ?? signHeader(rcode, rawBody) },
  });
};
const signedOrder = (amount: string, change: Fields = {}, own = shop): Fields => orderBody(own, amount, change);
const paySigned = (body: Fields, header?: string, own = shop): Promise<Answer> =>
  sendSigned('transactions/singletx', own, { params: { id: own.sid }, body, ...(header !== undefined && { header }) });
const refusedAs = (status: number, code: string) => ({ status, body: { error_code: code } });

it('is accepted by every operation that takes the md5 hash', () => {
  const hashed = operations.filter(({ errors }) => errors.includes('hash_wrong'));
  expect(hashed.length).toBeGreaterThan(10);
  expect(hashed.filter(({ signable }) => !signable).map(({ name }) => name)).toEqual([]);
});

describe('a signature of the whole body', () => {
  it('proves payments, captures, payouts and what reads them, without hash and timestamp', async () => {
    await pay(shop, '50.00');
    const params = { id: shop.sid };
    const paid = okResult(await paySigned(signedOrder('10.00', { tid: 'signed-1' })));
    expect(paid).toMatchObject({ status: 'OK' });
    const { item_name, item_amount_unit, tx_action, card_type, ...payee } = signedOrder('5.00');
    const cart = { item_name, item_amount_unit, currency: 'USD' };
    const held = await preauth(shop, '25.00');
    const waiting = await pay(shop, '10.64');
    const calls: [string, Sent][] = [
      ['transactions/payout', { params, body: { ...payee, amount: '5.00' } }],
      ['transactions/flagcapture', { params, body: { parent_txid: held.txid, amount: '25.00' } }],
      ['fraud/fraudcheck', { params, body: signedOrder('10.00') }],
      ['pricing/bin-payment-options', { params, body: { ...cart, BIN: testCards.good.slice(0, 6) } }],
      ['transactions/getstatus', { params: { id: paid.txid } }],
      ['transactions/getbytid', { params, query: { tid: 'signed-1' } }],
      ['transactions/resendauth', { params: { id: waiting.txid } }],
      ['transactions/sendauth', { params: { id: waiting.txid }, body: { authtype: 'SMS', authvalue: '123456' } }],
    ];
    for (const [operation, sent] of calls) {
      const { status, body } = await sendSigned(operation, shop, sent);
      expect([operation, status, body]).toEqual([operation, 200, expect.anything()]);
      const wrong = await sendSigned(operation, shop, { ...sent, header: signHeader('another rcode', '') });
      expect([operation, wrong]).toMatchObject([operation, refusedAs(401, 'signature_invalid')]);
    }
  });

  it('proves the calls of a 3DS site', async () => {
    const site = await newThreeDsSite();
    const params = { id: site.sid };
    const made = await sendSigned('threeds/create3ds', site, { params, body: threeDsBody(site) });
    expect(made.status).toBe(200);
    const { authentication_id } = made.body as { authentication_id: number };
    expect(await sendSigned('threeds/get3ds', site, { params, body: { authentication_id } })).toMatchObject({
      status: 200,
      body: { authentication_id },
    });
  });

  it('is refused if the body was changed, the time is more than five minutes away, or the header is malformed', async () => {
    const { hash, timestamp, ...body } = signedOrder('10.00');
    const header = signHeader(shop.rcode, JSON.stringify(body));
    const invalid = refusedAs(401, 'signature_invalid');
    expect(await paySigned({ ...body, email: 'other@shop.example' }, header)).toMatchObject(invalid);
    for (const distance of [-301, 301]) {
      const late = signHeader(shop.rcode, JSON.stringify(body), seconds() + distance);
      expect(await paySigned(body, late)).toMatchObject(invalid);
    }
    for (const text of ['', 'v1=00', `t=${seconds()}`, `t=now,v1=${'0'.repeat(64)}`]) {
      expect(await paySigned(body, text)).toMatchObject(invalid);
    }
    expect(await paySigned(body, undefined, { ...shop, sid: 999_999 })).toMatchObject(invalid);
    expect(await paySigned(body, header)).toMatchObject({ status: 200 });
  });

  it('is checked first where the body is large, and before a kept answer is returned', async () => {
    const large = signedOrder('10.00', { item_name: ['x'], device_info: { padding: 'y'.repeat(5000) } });
    expect(await paySigned(large, 't=1,v1=00')).toMatchObject(refusedAs(401, 'signature_invalid'));
    expect(await paySigned(large)).toMatchObject({ status: 200 });
    const { hash, timestamp, ...body } = signedOrder('11.00');
    const rawBody = JSON.stringify(body);
    const send = (rcode: string) =>
      ask('transactions/singletx', {
        params: { id: shop.sid },
        rawBody,
        headers: { 'x-signature': signHeader(rcode, rawBody), 'idempotency-key': 'signed-key' },
      });
    const first = await send(shop.rcode);
    expect(first).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await send('guess')).toMatchObject(refusedAs(401, 'signature_invalid'));
    expect(await send(shop.rcode)).toMatchObject({ body: first.body, headers: { 'idempotent-replayed': 'true' } });
  });

  it('makes one payment when it is replayed, and different payments for different bodies in one second', async () => {
    const time = seconds();
    const bodies = ['a', 'b', 'c'].map((name) => {
      const { hash, timestamp, ...body } = signedOrder('13.00', { email: `${name}@shop.example` });
      return { body, header: signHeader(shop.rcode, JSON.stringify(body), time) };
    });
    const txids = new Set<number>();
    for (const { body, header } of [...bodies, ...bodies]) txids.add(okResult(await paySigned(body, header)).txid);
    expect(txids.size).toBe(3);
  });

  it('cannot be used for another operation', async () => {
    const { hash, timestamp, ...body } = signedOrder('14.00', { amount: '14.00' });
    const header = signHeader(shop.rcode, JSON.stringify(body));
    expect(await paySigned(body, header)).toMatchObject({ status: 200 });
    expect(await sendSigned('transactions/payout', shop, { params: { id: shop.sid }, body, header })).toMatchObject(
      refusedAs(409, 'tid_needed'),
    );
  });

  it('may be made with the previous rcode after a rotation, and carry one signature for each', async () => {
    const own = await newShop();
    const { body: rotated } = await ask('merchants/rotate-rcode', {
      as: own.as,
      params: { sid: own.sid },
    });
    const { rcode } = rotated as { rcode: string };
    expect(rcode).not.toBe(own.rcode);
    expect(await paySigned(signedOrder('10.00', {}, own), undefined, own)).toMatchObject({ status: 200 });
    const { hash, timestamp, ...body } = signedOrder('11.00', {}, own);
    const time = seconds();
    const both = [own.rcode, rcode].map((one) => `v1=${hmacSha256(one, `${time}.${JSON.stringify(body)}`)}`);
    expect(await paySigned(body, [`t=${time}`, ...both].join(','), own)).toMatchObject({ status: 200 });
  });
});

describe('the setting signature', () => {
  it('refuses the md5 hash where it is required, to callers who know the rcode only', async () => {
    const own = await newShop({ signature: 'required' });
    expect(await tryPay(own, '10.00')).toMatchObject({
      status: 401,
      body: { error_code: 'signature_required', error_msg: expect.stringContaining('x-signature') },
    });
    expect(await tryPay(own, '10.00', { hash: '0'.repeat(32) })).toMatchObject(refusedAs(401, 'hash_wrong'));
    expect(await paySigned(signedOrder('10.00', {}, own), undefined, own)).toMatchObject({ status: 200 });
    const { mid, rid, sid, as } = own;
    await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: { signature: 'optional' } });
    expect(await tryPay(own, '10.00')).toMatchObject({ status: 200 });
    expect(
      await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: { signature: 'perhaps' } }),
    ).toMatchObject({ status: 400 });
  });

  it('counts for 3DS sites too', async () => {
    const site = await newThreeDsSite({ settings: { signature: 'required' } });
    const params = { id: site.sid };
    const body = threeDsBody(site);
    expect(await ask('threeds/create3ds', { params, body })).toMatchObject(refusedAs(401, 'signature_required'));
    expect(await sendSigned('threeds/create3ds', site, { params, body })).toMatchObject({ status: 200 });
  });
});

it('asks for a hash or a signature where neither is sent', async () => {
  const { hash, timestamp, ...body } = signedOrder('10.00');
  const send = (sent: Fields) => ask('transactions/singletx', { params: { id: shop.sid }, body: sent });
  for (const [sent, words] of [
    [body, 'hash: is required, unless the header x-signature'],
    [{ ...body, hash }, 'timestamp: is required'],
  ] as const) {
    expect(await send(sent)).toMatchObject({ status: 400, body: { error_msg: expect.stringContaining(words) } });
  }
});

it('is made as the test vectors of the guide say', () => {
  const guide = readFileSync('docs/guides/payments.md', 'utf8');
  const vectors = [...guide.matchAll(/^\| `(\w+)` \| `(\d+)` \| (?:`(.*)`|empty) \| `([\da-f]{64})` \|$/gm)];
  expect(vectors.length).toBeGreaterThanOrEqual(3);
  for (const [, rcode = '', time = '', body = '', v1] of vectors) {
    expect(hmacSha256(rcode, `${time}.${body}`)).toBe(v1);
  }
});

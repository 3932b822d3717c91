import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { iso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { maxStarts } from '#payments/threeds/authentication/authentication.ts';
import {
  authenticationOfTransaction,
  getAuthentication,
  saveAuthentication,
} from '#payments/threeds/authentication/authentication-store.ts';
import { settleAuthentication } from '#payments/threeds/authentication-settle-flow.ts';
import { challengeReturned } from '#payments/threeds/challenge/challenge-flow.ts';
import { answerSandboxChallenge } from '#payments/threeds/sandbox/sandbox-acs-store.ts';
import { fromBase64Url, toBase64Url } from '#payments/threeds/server/base64url.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { mastercardNumbers, visaNumbers } from './contract.ts';
import {
  askFields,
  asPage,
  authenticate,
  type Begun,
  cancel,
  cardFields,
  create,
  createBody,
  newThreeDsSite,
  ownOrigin,
  pageOrigin,
  readDetails,
  readStatus,
  run,
  start,
  threeDsSiteOf,
  tryCreate,
  tryDetails,
  useThreeDsSandbox,
} from './shop.ts';

useOperations();
useThreeDsSandbox();

let site: Tenant;
beforeAll(async () => {
  site = await newThreeDsSite();
});
afterEach(() => setClock());

/** Moves the clock of this process on. */
const move = (seconds: number): void => {
  const then = nowMilliseconds() + seconds * 1000;
  setClock(() => then);
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const noWait = async () => undefined;

/** Returns what the frame posts to the issuer. */
const readCreq = async (begun: Begun): Promise<string> => {
  const { status, body } = await asPage(begun, 'frame', { kind: 'challenge' });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { value: string }).value;
};
/** Returns what the issuer posts back; its result is never trusted. */
const makeCres = (creq: string, change: object = {}): string => {
  const { threeDSServerTransID, acsTransID } = fromBase64Url(creq) ?? {};
  return toBase64Url({ threeDSServerTransID, acsTransID, messageType: 'CRes', transStatus: 'Y', ...change });
};

describe('create3ds', () => {
  it('begins an authentication, and tells how to go on', async () => {
    const before = nowMilliseconds();
    const { status, body } = await tryCreate(site);
    expect(status).toBe(200);
    const reply = body as Record<string, string>;
    expect(body).toEqual({
      authentication_id: expect.any(Number),
      client_token: expect.stringMatching(new RegExp(`^${reply['authentication_id']}\\.\\d{13}\\.[\\da-f]{40}$`)),
      expires_at: expect.any(String),
      status: 'created',
      sdk: {
        module: `${ownOrigin}/sdk/3ds/v1.mjs`,
        script: `${ownOrigin}/sdk/3ds/v1.js`,
        integrity: `${ownOrigin}/sdk/3ds/integrity.json`,
      },
    });
    expect(Date.parse(reply['expires_at'] ?? '') - before).toBeGreaterThanOrEqual(15 * 60_000);
  });

  it('takes everything that an issuer may want to know, as JSON and as a form', async () => {
    const payer = {
      firstname: 'Ada',
      lastname: 'Example',
      phone: '+4312345',
      address: 'A 1',
      suburb_city: 'Wien',
      country: 'AT',
    };
    const more = { challenge: 'mandated', exemption: 'none', shipping_country: 'DE' };
    const account = { id: 'k1', created_at: '2020-01-01T00:00:00Z', orders_6m: 3 };
    const { id } = await create(site, { ...payer, ...more, account });
    const form = new URLSearchParams({
      ...createBody(site, { ...payer, ...more }),
      account: JSON.stringify(account),
    } as never);
    const { status, body } = await ask('threeds/create3ds', { params: { id: site.sid }, body: form });
    expect(status).toBe(200);
    for (const one of [id, (body as { authentication_id: number }).authentication_id]) {
      expect(await getAuthentication(one)).toMatchObject({
        ...{ challengeInd: '04', exemption: 'none', money: { minor: '1050', currency: 'EUR' } },
        payer: {
          firstName: 'Ada',
          address: { city: 'Wien' },
          shipping: { country: 'DE' },
          account: { id: 'k1', orders6m: 3 },
        },
      });
    }
  });

  it('answers the same authentication for the same tid, with another token that is as good', async () => {
    const one = await create(site, { tid: 'order-1' });
    const two = await create(site, { tid: 'order-1' });
    expect([two.id, two.token === one.token]).toEqual([one.id, false]);
    for (const begun of [one, two]) expect(await readStatus(begun)).toMatchObject({ step: 'start' });
    const { status, body } = await tryCreate(site, { tid: 'order-1', amount: '11.00' });
    expect([status, body]).toMatchObject([409, { error_code: 'tid_reused' }]);
  });

  it('answers the same one where two calls with a tid meet', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await create(site, { tid: 'order-2' })).id));
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ['a site of payments', 'site_not_for_3ds', 409],
    ['nobody', 'hash_wrong', 401],
  ])('is not for %s: %s', async (who, code, status) => {
    const other = await newTenant({ site: { currency: 'EUR' } });
    const { mid, rid, sid, as } = other;
    await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: {} });
    const caller = who === 'nobody' ? { ...other, sid: 999_999 } : other;
    expect(await tryCreate(caller)).toMatchObject({ status, body: { error_code: code } });
  });

  it('is not for a site without settings, of which it names what is missing', async () => {
    const bare = await newTenant();
    expect(await tryCreate(bare)).toMatchObject({ status: 409, body: { error_code: 'site_not_for_3ds' } });
    const lacking = await newThreeDsSite({ settings: { mcc: '', requestorURL: '' } });
    expect(await tryCreate(lacking)).toMatchObject({
      status: 409,
      body: { error_code: 'three_ds_settings_missing', error_msg: expect.stringMatching(/^mcc: .*; requestorURL: /) },
    });
  });

  it('is signed', async () => {
    expect(await tryCreate(site, { hash: '0'.repeat(32) })).toMatchObject({
      status: 401,
      body: { error_code: 'hash_wrong' },
    });
    expect(await tryCreate({ ...site, rcode: 'x' })).toMatchObject({ status: 401 });
    const { currency: _, ...body } = createBody({ ...site, sid: 999_999 });
    expect(await ask('threeds/create3ds', { params: { id: 999_999 }, body })).toMatchObject({ status: 401 });
  });

  it.each([
    [{ page_origin: 'https://shop.example.com/' }, 'page_origin'],
    [{ page_origin: 'http://shop.example.com' }, 'page_origin'],
    [{ page_origin: 'https://user@shop.example.com' }, 'page_origin'],
    [{ page_origin: '*' }, 'page_origin'],
    [{ page_origin: ['https:/', '*.shop.example.com'].join('/') }, 'page_origin'],
    [{ amount: '0.00' }, 'amount'],
    [{ amount: '1.005' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ currency: 'XXQ' }, 'currency'],
    [{ email: '' }, 'email'],
    [{ challenge: 'maybe' }, 'challenge'],
    [{ exemption: 'low_value' }, 'exemption'],
    [{ exemption: 'recurring' }, 'exemption'],
    [{ tid: 't'.repeat(101) }, 'tid'],
    [{ account: 'x' }, 'account'],
    [{ account: { orders_6m: -1 } }, 'account.orders_6m'],
    [{ state: 'Oregon', country: 'US' }, 'state'],
    [{ firstname: '4242 4242 4242 4242' }, 'firstname'],
    [{ timestamp: '1000000000' }, 'timestamp'],
  ])('refuses %j', async (change, field) => {
    const { status, body } = await tryCreate(site, change);
    expect([status, body]).toEqual([
      400,
      {
        status: 'EXC',
        error_code: 'request_invalid',
        doc: '/errors/request_invalid',
        error_msg: expect.stringMatching(new RegExp(`^${field}: `)),
      },
    ]);
  });

  it.each(['low_value', 'recurring'])('says where to ask for the exemption %s', async (exemption) => {
    const { body } = await tryCreate(site, { exemption });
    expect(body).toMatchObject({
      error_msg: expect.stringContaining('low_value and recurring are asked for in the payment'),
    });
  });

  it('reaches a payer by e-mail or by phone, one of the two', async () => {
    expect(await tryCreate(site, { email: '', phone: '+4312345' })).toMatchObject({ status: 200 });
  });

  it('takes no amount where the site authenticates for none, and its currency from the site', async () => {
    const npa = await newThreeDsSite({ settings: { messageCategory: 'npa', purchaseCurrency: '978' } });
    const { currency: _, ...body } = createBody(npa, { amount: '0.00' });
    expect(await ask('threeds/create3ds', { params: { id: npa.sid }, body })).toMatchObject({ status: 200 });
    const { currency: __, ...none } = createBody(site, {});
    expect(await ask('threeds/create3ds', { params: { id: site.sid }, body: none })).toMatchObject({
      body: { error_msg: 'currency: is required' },
    });
  });

  it('skips authentications where the site wants none', async () => {
    const skipping = await newThreeDsSite({ servicesettings: { skip3d2: 1 }, settings: { mcc: '' } });
    const { body } = await tryCreate(skipping);
    expect(body).toMatchObject({ status: 'done' });
    const begun = await create(skipping);
    expect(await start(begun, visaNumbers[2003])).toMatchObject({
      step: 'done',
      outcome: 'unavailable',
      liability_shift: false,
    });
    expect(await readDetails(begun)).toMatchObject({ status: 'done', outcome: 'unavailable', reason: 'skipped' });
  });
});

describe('an authentication without a challenge', () => {
  it.each([
    [visaNumbers[2003], 'authenticated', 'Y', true],
    [visaNumbers[2103], 'authenticated', 'Y', true],
    [visaNumbers[2203], 'authenticated', 'Y', true],
    [visaNumbers[2113], 'not_authenticated', 'N', false],
    [visaNumbers[2123], 'attempted', 'A', true],
    [visaNumbers[2133], 'rejected', 'R', false],
    [visaNumbers[2143], 'informational', 'I', false],
    [visaNumbers[2153], 'unavailable', 'U', false],
    [visaNumbers[2163], 'unavailable', null, false],
    [visaNumbers[1072], 'unavailable', null, false],
    ['4000100111181111', 'unavailable', null, false],
    [mastercardNumbers[2003], 'authenticated', 'Y', true],
    [mastercardNumbers[2123], 'attempted', 'A', true],
    ['4242424242424242', 'authenticated', 'Y', true],
  ])('of %s: %s', async (number, outcome, transStatus, liability_shift) => {
    const begun = await create(site);
    const reply = await run(begun, number);
    const { id } = begun;
    expect(reply).toMatchObject({ step: 'done', authentication_id: id, outcome, transStatus, liability_shift });
    expect(reply.three_d_secure).toBe(`{"authentication_id":${id}}`);
    expect(await readDetails(begun)).toMatchObject({ status: 'done', outcome, transStatus, liability_shift });
  });

  it('says why it came to nothing', async () => {
    const reasonOf = async (number: string) => {
      const begun = await create(site);
      await run(begun, number);
      return (await readDetails(begun))['reason'];
    };
    expect(await reasonOf(visaNumbers[2163])).toBe('timeout');
    expect(await reasonOf(visaNumbers[1072])).toBe('version_not_supported');
    expect(await reasonOf('4000100111181111')).toBe('not_enrolled');
    expect(await reasonOf(visaNumbers[2153])).toBe('issuer');
  });

  it('tells the page nothing that proves it, unless the site wants that', async () => {
    const telling = await newThreeDsSite({ settings: { enableResult: '1' } });
    const begun = await create(telling);
    const reply = await run(begun, visaNumbers[2003]);
    const details = await readDetails(begun);
    const names = ['messageVersion', 'authenticationValue', 'dsTransID', 'eci', 'transStatus', 'aresTransStatus'];
    const values = JSON.parse(reply.three_d_secure ?? '');
    expect(values).toMatchObject({ authentication_id: begun.id });
    for (const name of names) expect([name, values[name]]).toEqual([name, details[name]]);
    expect(Buffer.from(values.authenticationValue, 'base64')).toHaveLength(20);
    // The same again: by status, by starting once more, and by asking once more.
    expect(await readStatus(begun)).toEqual(reply);
    expect(await start(begun, visaNumbers[2003])).toEqual(reply);
    expect(await authenticate(begun, visaNumbers[2003])).toEqual(reply);
    const silent = await create(site);
    expect(JSON.stringify(await run(silent, visaNumbers[2003]))).not.toMatch(/authenticationValue|dsTransID/);
  });

  it('tells the merchant everything, and how to verify it', async () => {
    const begun = await create(site, { amount: '10.5', hash: createBody(site, { amount: '10.50' })['hash'] });
    await run(begun, visaNumbers[2133]);
    const { sid, rcode } = site;
    const { id } = begun;
    expect(await readDetails(begun)).toEqual({
      ...{ authentication_id: id, sid, status: 'done', outcome: 'rejected', reason: null, transStatus: 'R' },
      ...{
        transStatusReason: '01',
        aresTransStatus: 'R',
        challengeTransStatus: null,
        eci: '07',
        authenticationValue: null,
      },
      ...{
        messageVersion: '2.2.0',
        challengeCancel: null,
        authenticationType: null,
        liability_shift: false,
        exemption: null,
      },
      ...{ dsTransID: expect.any(String), threeDSServerTransID: expect.any(String), acsTransID: expect.any(String) },
      ...{ cardholder_info: expect.stringContaining('call'), amount: 10.5, currency: 'EUR', card: '400010******2133' },
      ...{ created_at: expect.any(String), done_at: expect.any(String), used_by_txid: null },
      vrfy: sha256(`${sid};${rcode};${id};rejected;10.50;EUR;R`),
    });
  });

  it('keeps the value for a day, sealed and in a row of its own', async () => {
    const begun = await create(site);
    await run(begun, visaNumbers[2003]);
    const { authenticationValue } = await readDetails(begun);
    expect(authenticationValue).toEqual(expect.any(String));
    const row = await getItem(keys.authenticationValue(begun.id));
    expect(row).toMatchObject({ ttl: expect.any(Number), sealed: expect.any(String) });
    expect(JSON.stringify([row, await getItem(keys.authentication(begun.id))])).not.toContain(
      String(authenticationValue),
    );
    move(24 * 3600);
    expect(await readDetails(begun)).toMatchObject({ authenticationValue: null, outcome: 'authenticated' });
  });

  it('is kept for 400 days in the lists of its merchant, site and card, and the value for one', async () => {
    const begun = await create(site);
    await run(begun, visaNumbers[2003]);
    const { ttl, ...row } = (await getItem(keys.authentication(begun.id))) ?? {};
    const made = Math.ceil(Date.parse((await getAuthentication(begun.id))?.createdAt ?? '') / 1000);
    expect(ttl).toBe(made + 400 * 86_400);
    expect([row['list1Pk'], row['list2Pk'], row['list3Pk']]).toEqual([
      expect.stringMatching(`M${site.mid}$`),
      expect.stringMatching(`S${site.sid}$`),
      expect.stringContaining(`M${site.mid}H${row['cardToken']}`),
    ]);
    expect(row['listLeaf']).toMatch(/authenticated.*visa/i);
    const { ttl: valueTtl } = (await getItem(keys.authenticationValue(begun.id))) ?? {};
    expect(Number(valueTtl) - made).toBeGreaterThanOrEqual(86_400);
    expect(Number(valueTtl) - made).toBeLessThan(86_400 + 600);
    const { threeDSServerTransID } = await readDetails(begun);
    const reference = await getItem(keys.authenticationRef(String(threeDSServerTransID)));
    expect(reference).toMatchObject({ entity: 'AUTHENTICATION_REF', authenticationId: begun.id });
    expect(Number(reference?.['ttl']) - made).toBeGreaterThanOrEqual(86_400);
    expect(Number(reference?.['ttl']) - made).toBeLessThan(86_400 + 600);
    // DynamoDB removes rows some days after their time, in which they are not read.
    const transId = String(threeDSServerTransID);
    expect(await authenticationOfTransaction(transId)).toBe(begun.id);
    move(2 * 86_400);
    expect(await authenticationOfTransaction(transId)).toBeUndefined();
    expect(await tryDetails(begun)).toMatchObject({ status: 200 });
    move(399 * 86_400);
    expect(await tryDetails(begun)).toMatchObject({ status: 404 });
    expect(await getAuthentication(begun.id)).toBeUndefined();
  });

  it('forgets who paid once it is done, and never knows the card', async () => {
    const begun = await create(site, { firstname: 'Ada', lastname: 'Lovelace' });
    await run(begun, visaNumbers[2003]);
    const row = JSON.stringify(await getItem(keys.authentication(begun.id)), (_, value) =>
      value instanceof Set ? [...value] : value,
    );
    expect(row).not.toMatch(/Lovelace|ada@example\.com|4000100511132003/);
    expect(row).toContain('400010******2003');
  });

  it.each([
    ['tra', 'unwanted', 'tra'],
    ['data_only', undefined, null],
  ])('asks for the exemption %s, and tells whether it was granted', async (exemption, challenge, granted) => {
    const begun = await create(site, { exemption, ...(challenge && { challenge }) });
    await run(begun, visaNumbers[2143]);
    expect(await readDetails(begun)).toMatchObject({
      outcome: 'informational',
      exemption: granted,
      liability_shift: false,
    });
  });
});

describe('the page', () => {
  it('may read what it is answered, and no other page may', async () => {
    const begun = await create(site);
    const { headers } = await asPage(begun, 'status');
    expect(headers).toMatchObject({ 'access-control-allow-origin': pageOrigin, vary: 'origin' });
    for (const origin of ['https://evil.example', `${pageOrigin}.evil.example`, 'null', '']) {
      for (const what of ['start', 'authenticate', 'status', 'cancel'] as const) {
        const fields = { ...askFields(visaNumbers[2003]), reason: 'payer' };
        const answer = await asPage(begun, what, fields, { origin });
        expect(answer, origin).toMatchObject({ status: 403, body: { msg: 'The call comes from another page' } });
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
    expect(await readStatus(begun)).toMatchObject({ step: 'start' });
  });

  it('gets the problems of its calls from its browser too', async () => {
    const begun = await create(site);
    const wrong = await asPage(begun, 'start', cardFields('4242424242424241'));
    expect(wrong).toMatchObject({ status: 400, body: { details: 'card_no: has a wrong check digit' } });
    expect(wrong.headers).toMatchObject({ 'access-control-allow-origin': pageOrigin });
    expect(JSON.stringify(wrong.body)).not.toContain('4242424242424241');
  });

  it('needs the token of this authentication, and learns nothing else', async () => {
    const [begun, other] = [await create(site), await create(site)];
    const tampered = begun.token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const calls = [
      { ...begun, token: other.token },
      { ...begun, token: tampered },
      { ...begun, token: begun.token.replace(/\.\d+\./, '.9999999999999.') },
      { ...begun, token: 'x' },
      { ...begun, id: 1_234_567_890_123_456 },
    ];
    const answers = await Promise.all(
      calls.flatMap((call) =>
        (['start', 'authenticate', 'status', 'cancel', 'frame'] as const).map((what) =>
          asPage(call, what, { ...askFields(visaNumbers[2003]), reason: 'payer', kind: 'method' }),
        ),
      ),
    );
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        401,
        {
          code: 'client_token_wrong',
          msg: 'The client token is wrong or has expired',
          details: expect.any(String),
          doc: '/errors/client_token_wrong',
        },
      ]);
    }
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('has a quarter of an hour', async () => {
    const begun = await create(site);
    move(15 * 60 - 1);
    expect(await readStatus(begun)).toMatchObject({ step: 'start' });
    move(1);
    for (const what of ['start', 'status'] as const) {
      const answer = await asPage(begun, what, cardFields(visaNumbers[2003]));
      expect(answer).toMatchObject({ status: 401 });
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': pageOrigin });
    }
    // Calls that were refused were not counted.
    expect(await getAuthentication(begun.id)).toMatchObject({ starts: 0 });
  });

  it('sends forms only', async () => {
    const { id, token } = await create(site);
    const { create3ds: _, ...operations } = {
      create3ds: 'threeds/create3ds',
      ...(await import('#payments/threeds/api/status/operation.ts')),
    };
    const answer = await ask(operations.status3dsOperation, {
      params: { id },
      body: { client_token: token },
      headers: { origin: pageOrigin },
    });
    expect(answer).toMatchObject({ status: 415 });
  });
});

describe('trying out cards', () => {
  it('ends after five starts', async () => {
    const begun = await create(site);
    for (let n = 0; n < maxStarts; n += 1)
      expect(await start(begun, visaNumbers[2103])).toMatchObject({ step: 'authenticate' });
    expect(await asPage(begun, 'start', cardFields(visaNumbers[2103]))).toMatchObject({ status: 429 });
  });

  it('ends after three cards', async () => {
    const begun = await create(site);
    const numbers = [visaNumbers[2103], visaNumbers[2113], visaNumbers[2123]];
    for (const number of numbers) await start(begun, number);
    expect(await asPage(begun, 'start', cardFields(visaNumbers[2133]))).toMatchObject({ status: 429 });
    expect(await start(begun, numbers[0] ?? '')).toMatchObject({ step: 'authenticate' });
  });

  it('ends after three questions', async () => {
    const begun = await create(site);
    for (let n = 0; n < 3; n += 1) {
      await start(begun, visaNumbers[2072]);
      expect(await authenticate(begun, visaNumbers[2072])).toMatchObject({ step: 'challenge' });
    }
    await start(begun, visaNumbers[2072]);
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2072]))).toMatchObject({ status: 429 });
  });

  it('is counted however many come at once', async () => {
    const begun = await create(site);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => asPage(begun, 'start', cardFields(visaNumbers[2103]))),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    expect(await getAuthentication(begun.id)).toMatchObject({ starts: 5 });
  });
});

describe('asking the issuer', () => {
  const state = (details: string) => ({
    status: 409,
    body: { msg: 'The authentication does not allow this now', details },
  });

  it('takes the card that it was started with, not too long ago', async () => {
    const begun = await create(site);
    const never = 'It was not started, or too long ago. Start it again.';
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2103]))).toMatchObject(state(never));
    await start(begun, visaNumbers[2103]);
    const other = 'It was started with another card. Start it again.';
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2113]))).toMatchObject(state(other));
    move(75);
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2103]))).toMatchObject(state(never));
    await start(begun, visaNumbers[2103]);
    expect(await authenticate(begun, visaNumbers[2103])).toMatchObject({ step: 'done' });
  });

  it('is done once, however many ask at once', async () => {
    const begun = await create(site);
    await start(begun, visaNumbers[2072]);
    const answers = await Promise.all([1, 2, 3].map(() => asPage(begun, 'authenticate', askFields(visaNumbers[2072]))));
    const asked = await getAuthentication(begun.id);
    expect(asked).toMatchObject({ attempts: 1, status: 'challenged' });
    for (const { status, body } of answers) {
      if (status === 200) expect(body).toMatchObject({ step: 'challenge' });
      else expect([status, body]).toMatchObject([409, { details: 'The issuer is being asked. Ask for its status.' }]);
    }
  });

  it('is resumed if the function that asked died before it recorded the answer', async () => {
    const begun = await create(site);
    await start(begun, visaNumbers[2103]);
    beforeTransactions(async () => {
      throw new Error('killed');
    });
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2103]))).toMatchObject({ status: 500 });
    beforeTransactions();
    expect(await asPage(begun, 'authenticate', askFields(visaNumbers[2103]))).toMatchObject({ status: 409 });
    move(20);
    expect(await authenticate(begun, visaNumbers[2103])).toMatchObject({ step: 'done', outcome: 'authenticated' });
  });

  it.each([{ browser: '{}' }, { browser: 'x' }, { window_size: '06' }, { window_size: '' }, { method: 'X' }])(
    'refuses %j',
    async (change) => {
      const begun = await create(site);
      await start(begun, visaNumbers[2103]);
      const { status, body } = await asPage(
        begun,
        'authenticate',
        askFields(visaNumbers[2103], change as Record<string, string>),
      );
      const [field] = Object.keys(change);
      expect([status, body]).toMatchObject([
        400,
        { details: expect.stringMatching(new RegExp(`^${field}(?:\\.\\w+)?: `)) },
      ]);
    },
  );
});

describe('a challenge', () => {
  const challenged = async (number: string = visaNumbers[2072]): Promise<Begun> => {
    const begun = await create(site);
    expect(await run(begun, number)).toMatchObject({ step: 'challenge' });
    return begun;
  };
  const answer = async (begun: Begun, action: 'confirm' | 'cancel' | 'late', code = '123456'): Promise<string> => {
    const creq = await readCreq(begun);
    await answerSandboxChallenge(creq, { action, code });
    return creq;
  };

  it('is posted by our frame to where our own row says', async () => {
    const begun = await challenged();
    const { body } = await asPage(begun, 'frame', { kind: 'challenge' });
    expect(body).toEqual({
      url: `${ownOrigin}/sandbox/acs/challenge`,
      field: 'creq',
      value: expect.any(String),
      page_origin: pageOrigin,
    });
    expect(fromBase64Url((body as { value: string }).value)).toEqual({
      ...{ messageType: 'CReq', messageVersion: '2.2.0', challengeWindowSize: '03' },
      ...{ threeDSServerTransID: expect.any(String), acsTransID: expect.any(String) },
    });
    expect((body as { value: string }).value).not.toContain('=');
  });

  it('has its method posted in the same way', async () => {
    const begun = await create(site);
    await start(begun, visaNumbers[2203]);
    const { body } = await asPage(begun, 'frame', { kind: 'method' });
    expect(body).toMatchObject({
      url: `${ownOrigin}/sandbox/acs/method?silent=1`,
      field: 'threeDSMethodData',
      page_origin: pageOrigin,
    });
    expect(fromBase64Url((body as { value: string }).value)).toMatchObject({
      threeDSMethodNotificationURL: `${ownOrigin}/3ds/method`,
    });
    const none = await create(site);
    await start(none, visaNumbers[2103]);
    expect(await asPage(none, 'frame', { kind: 'method' })).toMatchObject({ status: 409 });
  });

  it("is returned only to the page in the SDK's frame", async () => {
    const begun = await challenged();
    for (const origin of [pageOrigin, 'https://evil.example', '']) {
      const refused = await asPage(begun, 'frame', { kind: 'challenge' }, { origin });
      expect(refused).toMatchObject({ status: 403 });
    }
  });

  it('ends with what the 3DS server says, whatever the issuer’s page says', async () => {
    const passed = await challenged();
    const creq = await answer(passed, 'confirm');
    await challengeReturned(makeCres(creq, { transStatus: 'N' }), noWait);
    expect(await readStatus(passed)).toMatchObject({
      step: 'done',
      outcome: 'authenticated',
      transStatus: 'Y',
      liability_shift: true,
    });
    expect(await readDetails(passed)).toMatchObject({
      aresTransStatus: 'C',
      challengeTransStatus: 'Y',
      eci: '05',
      authenticationType: '02',
    });

    const failed = await challenged(visaNumbers[2071]);
    const failing = await readCreq(failed);
    const { openChallenge } = await import('#payments/threeds/sandbox/sandbox-acs-store.ts');
    await openChallenge(failing);
    await challengeReturned(makeCres(failing, { transStatus: 'Y' }), noWait);
    expect(await readStatus(failed)).toMatchObject({
      outcome: 'not_authenticated',
      transStatus: 'N',
      liability_shift: false,
    });
  });

  it('is not ended by a message that is made up', async () => {
    const begun = await challenged();
    const creq = await readCreq(begun);
    const other = '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb';
    const forged = [
      makeCres(creq, { acsTransID: other }),
      makeCres(creq, { threeDSServerTransID: other }),
      makeCres(creq, { threeDSServerTransID: 'x' }),
      'x',
      '',
    ];
    for (const cres of forged) await challengeReturned(cres, noWait);
    expect(await getAuthentication(begun.id)).toMatchObject({ status: 'challenged', challenge: { cresAt: null } });
    // A right one of which the server knows nothing only has the server asked.
    await challengeReturned(makeCres(creq), noWait);
    expect(await readStatus(begun)).toMatchObject({ step: 'challenge' });
    await answerSandboxChallenge(creq, { action: 'confirm', code: '123456' });
    expect(await readStatus(begun)).toMatchObject({ step: 'done', outcome: 'authenticated' });
  });

  it('answers issuers with the same page, known or not', async () => {
    const begun = await challenged();
    const creq = await answer(begun, 'confirm');
    const post = (cres: string) => ask('threeds/challenge-return', { body: new URLSearchParams({ cres }) });
    const [known, unknown] = [await post(makeCres(creq)), await post('x')];
    expect(known).toMatchObject({ status: 200 });
    expect([known.body, known.headers['content-security-policy']]).toEqual([
      unknown.body,
      unknown.headers['content-security-policy'],
    ]);
    expect(String(known.body)).not.toMatch(/\d{10}|Y/);
  });

  it('waits for a result that is late, and for a minute at most', async () => {
    const begun = await challenged();
    const creq = await answer(begun, 'late');
    const waited: number[] = [];
    await challengeReturned(makeCres(creq), async (milliseconds) => waited.push(milliseconds));
    expect(waited).toEqual([500, 500, 1000]);
    expect(await readStatus(begun)).toMatchObject({ step: 'challenge' });
    move(5);
    expect(await readStatus(begun)).toMatchObject({ step: 'done', outcome: 'authenticated' });

    const never = await challenged();
    await challengeReturned(makeCres(await readCreq(never)), noWait);
    move(60);
    expect(await readStatus(never)).toMatchObject({ step: 'done', outcome: 'unavailable', transStatus: 'U' });
    expect(await readDetails(never)).toMatchObject({ reason: 'no_result' });
  });

  it('has to begin within half a minute', async () => {
    const begun = await challenged();
    move(30);
    expect(await asPage(begun, 'frame', { kind: 'challenge' })).toMatchObject({ status: 409 });
    expect(await readStatus(begun)).toMatchObject({ step: 'done', outcome: 'timed_out', transStatus: 'U' });
    const unopened = await challenged();
    move(30);
    expect(await readStatus(unopened)).toMatchObject({ outcome: 'timed_out' });
    const opened = await challenged();
    await readCreq(opened);
    move(40);
    expect(await asPage(opened, 'frame', { kind: 'challenge' })).toMatchObject({ status: 200 });
  });

  it('is canceled by the page, unless the issuer has told another end', async () => {
    const begun = await challenged();
    await readCreq(begun);
    expect(await cancel(begun, 'payer')).toMatchObject({ step: 'done', outcome: 'canceled', transStatus: 'U' });
    expect(await cancel(begun, 'timeout')).toMatchObject({ outcome: 'canceled' });
    const late = await challenged();
    expect(await cancel(late, 'timeout')).toMatchObject({ outcome: 'timed_out' });
    const passed = await challenged();
    await answer(passed, 'confirm');
    expect(await cancel(passed, 'payer')).toMatchObject({ outcome: 'authenticated', transStatus: 'Y' });
    const atIssuer = await challenged();
    await answer(atIssuer, 'cancel');
    expect(await cancel(atIssuer, 'timeout')).toMatchObject({ outcome: 'canceled', transStatus: 'N' });
    expect(await readDetails(atIssuer)).toMatchObject({ challengeCancel: '01', reason: 'payer' });
    expect(await asPage(begun, 'cancel', { reason: 'other' })).toMatchObject({ status: 400 });
  });

  it('is found by its merchant also where the payer never returned', async () => {
    const begun = await challenged();
    await answer(begun, 'confirm');
    expect(await readDetails(begun)).toMatchObject({ status: 'challenged', outcome: null });
    move(60);
    expect(await readDetails(begun)).toMatchObject({
      status: 'done',
      outcome: 'authenticated',
      authenticationValue: expect.any(String),
    });

    const swept = await challenged();
    await answer(swept, 'confirm');
    const { nextCheckAt } = (await getAuthentication(swept.id)) ?? {};
    move(60);
    await settleAuthentication({ authenticationId: swept.id, slot: nextCheckAt ?? undefined });
    expect(await getAuthentication(swept.id)).toMatchObject({ status: 'done', outcome: 'authenticated' });
    // Doubled, late, or about nothing: no harm.
    await settleAuthentication({ authenticationId: swept.id });
    await settleAuthentication({ authenticationId: 1 });
  });

  it.each(['created', 'started'] as const)(
    'times out half an hour after it was %s, and loses the payer’s data',
    async (status) => {
      const begun = await create(site, { email: 'gone@example.com' });
      if (status === 'started') {
        move(60);
        await start(begun, visaNumbers[2103]);
      }
      const { nextCheckAt = null } = (await getAuthentication(begun.id)) ?? {};
      if (nextCheckAt === null) throw new Error('It is never checked');
      const check = () => settleAuthentication({ authenticationId: begun.id, slot: nextCheckAt });
      move(29 * 60);
      await settleAuthentication({ authenticationId: begun.id });
      expect(await getAuthentication(begun.id)).toMatchObject({ status, payer: { email: 'gone@example.com' } });
      move(61);
      await check();
      expect(await getAuthentication(begun.id)).toMatchObject({
        ...{ status: 'done', outcome: 'timed_out', reason: 'timeout', payer: null, nextCheckAt: null },
      });
    },
  );

  it('is erased with the payer’s data by e-mail address, as abandoned ones are', async () => {
    const [theirs, other, abandoned] = [
      await create(site, { email: 'Erase@Example.com' }),
      await create(site, { email: 'keep@example.com' }),
      await create(site, { email: 'gone@example.com' }),
    ];
    const before = await getAuthentication(abandoned.id);
    if (!before) throw new Error('It is gone');
    await saveAuthentication(before, { ...before, nextCheckAt: before.createdAt });
    const body = { email: 'erase@example.com' };
    expect((await ask('lookups/erase-orders', { as: site.as, body })).body).toMatchObject({
      authentications: 1,
      more: false,
    });
    expect(await getAuthentication(theirs.id)).toMatchObject({ status: 'done', outcome: 'canceled', payer: null });
    expect(await getAuthentication(abandoned.id)).toMatchObject({ status: 'done', outcome: 'timed_out', payer: null });
    expect(await getAuthentication(other.id)).toMatchObject({ status: 'created' });
  });

  it('is looked at again and again, and over after half an hour', async () => {
    const begun = await challenged();
    await readCreq(begun);
    let checks = 0;
    for (; checks < 20; checks += 1) {
      const { nextCheckAt = null } = (await getAuthentication(begun.id)) ?? {};
      if (nextCheckAt === null) break;
      move(Math.max(0, (Date.parse(nextCheckAt) - nowMilliseconds()) / 1000));
      await settleAuthentication({ authenticationId: begun.id, slot: nextCheckAt });
    }
    expect(checks).toBe(9);
    expect(await getAuthentication(begun.id)).toMatchObject({ status: 'done', outcome: 'timed_out' });
  });

  it("is dropped for a new start, whose result is the authentication's", async () => {
    const begun = await challenged();
    const first = await readCreq(begun);
    await start(begun, visaNumbers[2103]);
    await answerSandboxChallenge(first, { action: 'confirm', code: '123456' });
    await challengeReturned(makeCres(first), noWait);
    expect(await readStatus(begun)).toMatchObject({ step: 'authenticate' });
    expect(await authenticate(begun, visaNumbers[2103])).toMatchObject({ step: 'done', outcome: 'authenticated' });
    expect(await readStatus(begun)).toMatchObject({ step: 'done', outcome: 'authenticated' });
  });

  it('is ended as unavailable where the site takes none', async () => {
    const frictionless = await newThreeDsSite({ settings: { disableChallenge: '1' } });
    const begun = await create(frictionless);
    expect(await run(begun, visaNumbers[2072])).toMatchObject({ step: 'done', outcome: 'unavailable' });
    expect(await readDetails(begun)).toMatchObject({ reason: 'challenge_disabled' });
  });

  it('tells a page that may know what it comes to', async () => {
    const telling = await newThreeDsSite({ settings: { enableResult: '1', clientMode: 'inline', verbose: 1 } });
    const begun = await create(telling);
    expect(await run(begun, visaNumbers[2072])).toEqual({ step: 'challenge', mode: 'inline', verbose: true });
    const creq = await readCreq(begun);
    await answerSandboxChallenge(creq, { action: 'confirm', code: '123456' });
    await challengeReturned(makeCres(creq), noWait);
    const reply = await readStatus(begun);
    expect(JSON.parse(reply.three_d_secure ?? '')).toMatchObject({
      challengeTransStatus: 'Y',
      authenticationValue: expect.any(String),
    });
    expect(await cancel(begun, 'payer')).toEqual(reply);
  });
});

describe('get3ds', () => {
  it('is for the site alone', async () => {
    const begun = await create(site);
    expect(await tryDetails(begun, { hash: '0'.repeat(32) })).toMatchObject({
      status: 401,
      body: { error_code: 'hash_wrong' },
    });
    const other = await newThreeDsSite();
    const theirs = await tryDetails({ ...begun, site: other });
    const none = await tryDetails({ ...begun, id: 1_234_567_890, site: other });
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
    expect(await tryDetails({ ...begun, site: { ...site, sid: 999_999 } })).toMatchObject({ status: 401 });
  });

  it('shows one that nothing was done with', async () => {
    const begun = await create(site);
    expect(await readDetails(begun)).toMatchObject({
      status: 'created',
      outcome: null,
      transStatus: null,
      card: null,
      done_at: null,
    });
    expect(iso(Date.parse(String((await readDetails(begun))['created_at'])))).toBe(
      (await readDetails(begun))['created_at'],
    );
  });
});

/** The authentications that people with a token see. */
describe('the list of authentications', () => {
  const listOf = async (as: Tenant['as'] | 'admin', body: object = {}) => {
    const { status, body: answer } = await ask('threeds/list-authentications', { as, body });
    return { status, ...(answer as { list: { authentication_id: number }[]; totalResult: number | null }) };
  };
  const idsOf = async (as: Tenant['as'] | 'admin', body: object = {}) =>
    (await listOf(as, body)).list.map(({ authentication_id }) => authentication_id);

  it('has those of the merchant, newest first, by site, outcome and date', async () => {
    const own = await newThreeDsSite();
    const second = await threeDsSiteOf(own);
    const frictionless = await create(own);
    await run(frictionless, visaNumbers[2103]);
    const untouched = await create(own);
    const elsewhere = await create(second);
    const all = [elsewhere.id, untouched.id, frictionless.id];
    expect(await idsOf(own.as)).toEqual(all);
    expect(await idsOf('admin', { mid: own.mid })).toEqual(all);
    expect(await idsOf(own.as, { sid: second.sid })).toEqual([elsewhere.id]);
    expect(await idsOf('admin', { sid: own.sid })).toEqual([untouched.id, frictionless.id]);
    expect(await idsOf(own.as, { outcome: 'authenticated' })).toEqual([frictionless.id]);
    expect(await idsOf(own.as, { outcome: ['rejected', 'canceled'], sid: own.sid })).toEqual([]);
    expect(await idsOf(own.as, { date_to: '2001-01-01' })).toEqual([]);
    expect(await idsOf('admin', { mid: own.mid + 1_000_000, sid: own.sid })).toEqual([]);
    expect(await idsOf(own.as, { order: 'ASC', size: 2 })).toEqual([frictionless.id, untouched.id]);
    expect(await listOf(own.as)).toMatchObject({ totalResult: 3 });
    expect(await listOf(own.as, { size: 2 })).toMatchObject({ totalResult: null });
  });

  it('is refused for another merchant’s, and to an administrator who names no merchant', async () => {
    const [own, other] = [await newThreeDsSite(), await newThreeDsSite()];
    expect(await listOf(own.as, { mid: other.mid })).toMatchObject({ status: 404 });
    const theirs = await ask('threeds/list-authentications', { as: own.as, body: { sid: other.sid } });
    expect(theirs).toEqual(await ask('threeds/list-authentications', { as: own.as, body: { sid: 999_999_999 } }));
    expect(theirs.status).toBe(404);
    expect(await listOf('admin')).toMatchObject({ status: 400, details: 'mid: is required for an administrator' });
  });
});

describe('an authentication shown to people', () => {
  it('is what its server receives, without what proves it', async () => {
    const own = await newThreeDsSite();
    const begun = await create(own);
    await run(begun, visaNumbers[2103]);
    const { authenticationValue, vrfy, ...known } = await readDetails(begun);
    expect(authenticationValue).toEqual(expect.any(String));
    const { status, body } = await ask('threeds/authentication-details', { as: own.as, params: { id: begun.id } });
    expect([status, body]).toEqual([200, known]);
    expect(vrfy).toEqual(expect.any(String));
  });

  it('is hidden from other merchants', async () => {
    const begun = await create(await newThreeDsSite());
    const { as } = await newThreeDsSite();
    const theirs = await ask('threeds/authentication-details', { as, params: { id: begun.id } });
    expect(theirs).toEqual(await ask('threeds/authentication-details', { as, params: { id: 999_999_999 } }));
    expect(theirs.status).toBe(404);
  });
});

it.each([
  'threeds/list-authentications',
  'threeds/authentication-details',
  'threeds/create3ds',
  'threeds/get3ds',
  'threeds/start',
  'threeds/authenticate',
  'threeds/status',
  'threeds/cancel',
  'threeds/frame-data',
  'threeds/challenge-return',
])('%s does and refuses what it declares', (name) => expectDeclared(name));

import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { operations } from '#functions/operations.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { authenticationEntity } from '#payments/threeds/authentication/authentication-row.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { createBody, newThreeDsSite, useThreeDsSandbox } from '#test/payments/threeds/shop.ts';
import { untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { newShop, orderBody, pay, preauth, testCards } from '#test/payments/transactions/shop.ts';
import {
  advance,
  fundsAt,
  ledgerAt,
  paymentAt,
  settleEverything,
  useSandbox,
} from '#test/payments/transactions/support.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';

useOperations();
useMortality();
useSandbox();
useThreeDsSandbox();

let shop: Tenant;
let other: Tenant;
beforeAll(async () => {
  Object.assign(process.env, {
    SETTLEMENT_QUEUE_URL: 'https://sqs.example.com/settlement',
    OPERATIONS_MAIL: 'operations@example.com',
  });
  mockClient(SQSClient).on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  [shop, other] = [await newShop(), await newShop()];
});
afterEach(() => setClock());

let names = 0;
const newKey = (): string => {
  names += 1;
  return `key-${names}`;
};
const leaseMilliseconds = 30 * milliseconds.second;

type Fields = Record<string, unknown>;
const sendWith = (key: string, operation: string, change: Parameters<typeof ask>[1]): Promise<Answer> =>
  ask(operation, { ...change, headers: { 'idempotency-key': key } });
const refund = (key: string, txid: number, change: Fields = {}, as = shop.as): Promise<Answer> =>
  sendWith(key, 'refunds/processrefund', {
    as,
    params: { parentxid: txid },
    body: { amount: '4.00', currency: 'USD', ...change },
  });
const replayed = { 'idempotent-replayed': 'true' };
const codeIn = ({ body }: Answer) => Object(body)['code'] ?? Object(body)['error_code'];

it('is accepted by every operation that moves money or creates something', () => {
  expect(operations.filter(({ idempotent }) => idempotent).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['singletx', 'convertnpay', 'payout', 'processrefund', 'refund-alert', 'flagcapture', 'sendauth'],
      ...['create3ds', 'create-order', 'create-orders', 'create-enrollment'],
      ...['create-merchant', 'create-retailer', 'create-site', 'enroll-retailer-site'],
    ]),
  );
});

describe('a call with an idempotency key', () => {
  it('is done once: repetitions return the first answer and say so', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    const first = await refund(key, txid);
    expect(first).toMatchObject({ status: 200, body: { status: 'OK', amount: 4 } });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const again = await refund(key, txid);
    expect(again).toMatchObject({ status: 200, body: first.body, headers: replayed });
    expect((await ledgerAt(txid)).refunded).toBe(400n);
    await refund(newKey(), txid);
    expect((await ledgerAt(txid)).refunded).toBe(800n);
  });

  it('is refused under a key that was used for another body or another payment', async () => {
    const [one, two] = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const key = newKey();
    await refund(key, one.txid);
    for (const wrong of [await refund(key, one.txid, { amount: '5.00' }), await refund(key, two.txid)]) {
      expect(wrong).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    }
    expect((await ledgerAt(two.txid)).refunded).toBe(0n);
  });

  it('returns 409 with retry-after while the first call is in progress', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    const during: Answer[] = [];
    beforeTransactions(async () => {
      beforeTransactions();
      during.push(await refund(key, txid));
    });
    expect((await refund(key, txid)).status).toBe(200);
    expect(during).toMatchObject([
      { status: 409, body: { code: 'idempotency_key_in_use' }, headers: { 'retry-after': '5' } },
    ]);
    expect((await ledgerAt(txid)).refunded).toBe(400n);
  });

  it('is done once when many arrive at the same moment', async () => {
    const { txid } = await pay(shop, '20.00');
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(key, txid)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await ledgerAt(txid)).refunded).toBe(400n);
  });

  it('leaves the key free if it was refused, so that it can be corrected', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    for (const amount of ['x', '99.00']) expect((await refund(key, txid, { amount })).status).not.toBe(200);
    expect(await refund(key, txid)).toMatchObject({ status: 200, body: { status: 'OK' } });
  });

  it('leaves the key free if it failed before anything was made', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    beforeTransactions(async () => {
      throw new Error('DynamoDB is down');
    });
    expect((await refund(key, txid)).status).toBe(500);
    beforeTransactions();
    expect((await refund(key, txid)).status).toBe(200);
    expect((await ledgerAt(txid)).refunded).toBe(400n);
  });

  it('returns what is kept for 24 hours and is new afterwards', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    const first = await refund(key, txid);
    advance(milliseconds.day - milliseconds.minute);
    expect(await refund(key, txid)).toMatchObject({ body: first.body, headers: replayed });
    advance(2 * milliseconds.minute);
    expect(await refund(key, txid, { amount: '5.00' })).toMatchObject({ status: 200, body: { amount: 5 } });
  });

  it('keeps the keys of tenants apart', async () => {
    const [mine, theirs] = [await pay(shop, '10.00'), await pay(other, '10.00')];
    const key = newKey();
    const first = await refund(key, mine.txid);
    const second = await refund(key, theirs.txid, {}, other.as);
    expect(second).toMatchObject({ status: 200, body: { parent_txid: theirs.txid } });
    expect(second.headers).not.toHaveProperty('idempotent-replayed');
    expect((await refund(key, mine.txid)).body).toEqual(first.body);
    expect((await refund(key, mine.txid, {}, other.as)).status).toBe(409);
  });

  it.each(['', 'two words', 'x'.repeat(256)])('refuses %j as a key', async (key) => {
    const { txid } = await pay(shop, '10.00');
    expect(await refund(key, txid)).toMatchObject({ status: 400, body: { code: 'request_invalid' } });
  });
});

describe('a payment with an idempotency key', () => {
  const start = (key: string, body: Fields, { sid } = shop) =>
    sendWith(key, 'transactions/singletx', { params: { id: sid }, body });
  const signedAgain = (amount: string, change: Fields = {}) =>
    orderBody(shop, amount, { email: 'key@shop.example', ...change });

  it('is made once although each attempt is signed with its own timestamp', async () => {
    const key = newKey();
    const first = await start(key, signedAgain('31.00'));
    expect(first).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await start(key, signedAgain('31.00'))).toMatchObject({ body: first.body, headers: replayed });
    expect(codeIn(await start(key, signedAgain('32.00')))).toBe('idempotency_key_reused');
    expect(codeIn(await start(key, signedAgain('31.00', { email: 'b@shop.example' })))).toBe('idempotency_key_reused');
  });

  it('shows the answer only to a caller who can sign', async () => {
    const key = newKey();
    const body = signedAgain('33.00');
    expect((await start(key, body)).status).toBe(200);
    expect(await start(key, { ...body, hash: '0'.repeat(32) })).toMatchObject({
      status: 401,
      body: { error_code: 'hash_wrong' },
    });
    expect((await start(key, orderBody(other, '33.00'), other)).headers).not.toHaveProperty('idempotent-replayed');
    setClock(() => Date.now() + milliseconds.hour);
    expect(await start(key, body)).toMatchObject({ status: 400 });
  });

  it('keeps neither card numbers nor secrets in clear', async () => {
    const key = newKey();
    await start(key, signedAgain('34.00'));
    const owner = sha256(`transactions/singletx site:${JSON.stringify({ id: shop.sid })}`);
    const row = await getItem(keys.idempotency(owner, sha256(key)));
    expect(row).toMatchObject({ entity: 'IDEMPOTENCY', answer: expect.stringMatching(/^k1\./) });
    for (const secret of [testCards.good, 'key@shop.example', key]) expect(JSON.stringify(row)).not.toContain(secret);
    const hours = (Number(row?.['ttl']) - Date.now() / 1000) / 3600;
    expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);
  });
});

it('shows the secrets of a new site again to its creator, from a sealed row', async () => {
  const key = newKey();
  const create = () =>
    sendWith(key, 'merchants/create-site', {
      params: { mid: shop.mid, rid: shop.rid },
      as: shop.as,
      body: { name: 'Again' },
    });
  const first = await create();
  expect(first).toMatchObject({ status: 200, body: { rcode: expect.any(String) } });
  expect(await create()).toMatchObject({ status: 200, body: first.body, headers: replayed });
});

/** A course: what a kill may leave, and what the repetition must not double. */
type Course = {
  /** Answers how the call is sent, and how often its effect was seen. */
  prepare: () => Promise<{ send: (key: string) => Promise<Answer>; times: () => Promise<number> }>;
};

/** Counts the rows of a kind that transactions put from now on. */
const countPuts = (entity: string): (() => Promise<number>) => {
  let count = 0;
  beforeTransactions(async ({ TransactItems = [] }: TransactWriteCommandInput) => {
    count += TransactItems.filter(({ Put }) => Put?.Item?.['entity'] === entity).length;
  });
  return async () => count;
};

const payingCourse = (pays: (own: Tenant, key: string) => Promise<Answer>, unit: number, funds = 0): Course => ({
  prepare: async () => {
    const own = await newShop();
    for (let paid = 0; paid < funds; paid += 1) await pay(own, '10.00');
    const { available } = await fundsAt(own.sid);
    return {
      send: (key) => pays(own, key),
      times: async () => {
        await settleEverything();
        // Not -0.
        return ((await fundsAt(own.sid)).available - available) / unit + 0;
      },
    };
  },
});

const courses: Record<string, Course> = {
  'a payment without a tid': payingCourse(
    (own, key) => sendWith(key, 'transactions/singletx', { params: { id: own.sid }, body: orderBody(own, '10.00') }),
    1000,
  ),
  'a payment whose answer is lost': payingCourse(
    (own, key) => sendWith(key, 'transactions/singletx', { params: { id: own.sid }, body: orderBody(own, '10.62') }),
    1062,
  ),
  'a payout': payingCourse(
    (own, key) => {
      const { item_name, item_amount_unit, tx_action, card_type, ...body } = orderBody(own, '5.00');
      return sendWith(key, 'transactions/payout', { params: { id: own.sid }, body: { amount: '5.00', ...body } });
    },
    -500,
    2,
  ),
  'a refund': {
    prepare: async () => {
      const { txid } = await pay(shop, '10.00');
      return {
        send: (key) => refund(key, txid),
        times: async () => {
          await settleEverything();
          return Number((await ledgerAt(txid)).refunded) / 400;
        },
      };
    },
  },
  'a capture': {
    prepare: async () => {
      const { txid } = await preauth(shop, '10.00');
      const hash = captureHash(shop.sid, '10.00', shop.rcode);
      const body = { parent_txid: txid, amount: '10.00', hash };
      return {
        send: (key) => sendWith(key, 'transactions/flagcapture', { params: { id: shop.sid }, body }),
        times: async () => {
          await settleEverything();
          return Number((await ledgerAt(txid)).captured) / 1000;
        },
      };
    },
  },
  'a merchant': {
    prepare: async () => ({
      times: countPuts('MERCHANT'),
      send: (key) => sendWith(key, 'merchants/create-merchant', { body: { name: 'Once' } }),
    }),
  },
  'a retailer': {
    prepare: async () => ({
      times: countPuts('RETAILER'),
      send: (key) => sendWith(key, 'merchants/create-retailer', { params: { mid: shop.mid }, body: { name: 'Once' } }),
    }),
  },
  'a site': {
    prepare: async () => ({
      times: countPuts('SITE'),
      send: (key) =>
        sendWith(key, 'merchants/create-site', { params: { mid: shop.mid, rid: shop.rid }, body: { name: 'Once' } }),
    }),
  },
  'a retailer with a site': {
    prepare: async () => {
      const { mid } = await newTenant();
      const body = { mid, retailer_name: 'Once', site_name: 'Once' };
      return { times: countPuts('SITE'), send: (key) => sendWith(key, 'onboarding/enroll-retailer-site', { body }) };
    },
  },
  'an enrollment': {
    prepare: async () => {
      const { sid } = await newTenant();
      const item = { provider: ['provider_a'], descriptor: `ONCE ${newKey()}`, match_type: 'Exact' };
      return {
        times: countPuts('ENROLLMENT'),
        send: (key) => sendWith(key, 'enrollments/create-enrollment', { body: { sid, enrollment_items: [item] } }),
      };
    },
  },
  'an authentication': {
    prepare: async () => {
      const site = await newThreeDsSite();
      return {
        times: countPuts(authenticationEntity),
        send: (key) =>
          sendWith(key, 'threeds/create3ds', {
            params: { id: site.sid },
            body: createBody(site),
          }),
      };
    },
  },
};

/** A transaction whose processor was never asked fails in the end; all else is made. */
const countTimes = async ({ body }: Answer): Promise<number> => {
  const { txid } = body as { txid?: number };
  return txid === undefined || (await paymentAt(txid)).status === 'OK' ? 1 : 0;
};

describe.each(['before', 'after'] as const)('killed %s a call of the table is done', (how) => {
  it.each(Object.entries(courses))('makes %s once when it is repeated with its key', async (_name, { prepare }) => {
    for (let dieAt = 1; dieAt <= 20; dieAt += 1) {
      const { send, times } = await prepare();
      const key = newKey();
      const died = await untilKilled(dieAt, how, () => send(key));
      const inUse = await send(key);
      expect([inUse.status, codeIn(inUse)]).toEqual(
        inUse.status === 200 ? [200, undefined] : [409, 'idempotency_key_in_use'],
      );
      advance(leaseMilliseconds);
      const first = await send(key);
      expect(first, `killed ${how} call ${dieAt}`).toMatchObject({ status: 200 });
      expect(await send(key)).toMatchObject({ status: 200, body: first.body, headers: replayed });
      const seen = await times();
      expect(seen, `killed ${how} call ${dieAt}`).toBe(await countTimes(first));
      beforeTransactions();
      if (!died) return;
    }
    throw new Error('More calls than any operation may make');
  });

  it.each([
    ['a merchant', 'merchants/create-merchant', () => ({ body: { name: 'Once' } })],
    ['a retailer', 'merchants/create-retailer', () => ({ params: { mid: shop.mid }, body: { name: 'Once' } })],
    ['a site', 'merchants/create-site', () => ({ params: { mid: shop.mid, rid: shop.rid }, body: { name: 'Once' } })],
    [
      'a retailer with a site',
      'onboarding/enroll-retailer-site',
      () => ({ body: { mid: shop.mid, retailer_name: newKey(), site_name: 'Once' } }),
    ],
  ])('never creates %s in an attempt that was overtaken', async (_name, operation, prepare) => {
    const key = newKey();
    const call = prepare();
    const answers: Answer[] = [];
    beforeTransactions(async () => {
      beforeTransactions();
      advance(leaseMilliseconds);
      answers.push(await sendWith(key, operation, call));
    });
    const overtaken = await sendWith(key, operation, call);
    expect([answers[0]?.status, overtaken.status, codeIn(overtaken)]).toEqual([200, 409, 'idempotency_key_in_use']);
    expect(await sendWith(key, operation, call)).toMatchObject({ body: answers[0]?.body, headers: replayed });
  });

  it('never lets an attempt go on that was overtaken', async () => {
    const { txid } = await pay(shop, '10.00');
    const key = newKey();
    const answers: Answer[] = [];
    beforeTransactions(async () => {
      beforeTransactions();
      advance(leaseMilliseconds);
      answers.push(await refund(key, txid));
    });
    const overtaken = await refund(key, txid);
    expect([answers[0]?.status, overtaken.status, codeIn(overtaken)]).toEqual([200, 409, 'idempotency_key_in_use']);
    expect((await ledgerAt(txid)).refunded).toBe(400n);
    expect(await refund(key, txid)).toMatchObject({ body: answers[0]?.body, headers: replayed });
  });
});

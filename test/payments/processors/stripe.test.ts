import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import { stripeProcessor } from '#payments/processors/stripe/stripe-client.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { useServer } from '#test/support/use-server.ts';
import { describeProcessor, followUp, manyDeclines, paidAt, payCommand, threeDsResult, toQuery } from './contract.ts';

const minute = 60_000;
const hour = 60 * minute;

const processorAt = (fake: FakeStripe, change: { secret_key?: string; base_url?: string } = {}): Processor =>
  stripeProcessor({ secret_key: fake.secretKey, webhook_secret: fake.webhookSecret, base_url: fake.url, ...change });

const move = (milliseconds: number) => {
  const then = nowMilliseconds() + milliseconds;
  setClock(() => then);
};

let contracted: FakeStripe;
describeProcessor('stripe', {
  start: async () => {
    contracted = await startFakeStripe();
    return {
      processor: processorAt(contracted),
      move,
      settle: async () => contracted.settle(),
      completeRedirect: async (url, answer) => {
        contracted.authenticate(url, answer);
        return undefined;
      },
      performed: async () => ({ ...contracted.performed }),
      webhook: async (id, txid, at) =>
        contracted.webhook({ id, object: 'payment_intent', metadata: { txid: String(txid) } }, at),
    };
  },
  stop: async () => {
    setClock();
    await contracted[Symbol.asyncDispose]();
  },
  approve: {},
  declines: {
    ...manyDeclines,
    issuer_unavailable: { number: '4000000000000119' },
  },
  lost: { arrange: () => contracted.fail('lost', /POST \/v1\/payment_intents$/) },
  neverArrives: {
    arrange: () => contracted.fail('never', /POST \/v1\/payment_intents$/),
    certainAfter: 5 * minute,
  },
  lostFollowUp: { arrange: () => contracted.fail('lost', /POST \/v1\/(refunds|payment_intents\/)/) },
  slow: { arrange: () => contracted.fail('slow', /POST \/v1\/payment_intents$/, 1) },
  refundFails: { number: '4000000000005126' },
  redirect: { number: '4000002760003184' },
  abandonedAfter: hour,
  currencies: { none: 'JPY', three: 'KWD', unsupported: 'IQD' },
  webhook: { hasTime: true },
});

describe('stripe: when Stripe fails or sends an unusual reply', async () => {
  const fake = await useServer(startFakeStripe());
  const stripe = processorAt(fake);
  afterEach(() => setClock());
  const paths = {
    card: /POST \/v1\/payment_methods/,
    pay: /POST \/v1\/payment_intents$/,
    refund: /POST \/v1\/refunds/,
  };
  const paid = (capture = true) => paidAt(stripe, capture);

  it('tells the authorisation code of a payment and the ARN of a refund', async () => {
    const { command, reference, outcome } = await paid();
    expect(outcome).toMatchObject({ authCode: '123456' });
    expect(await stripe.refund(followUp(command, reference))).toMatchObject({ arn: '74849484848484848484848' });
  });

  it('a connection that breaks off once, answer and all, is tried again and does it once', async () => {
    const before = fake.performed.pay;
    for (const fault of ['lost', 'never'] as const) {
      fake.fail(fault, paths.pay, 1);
      expect(await stripe.pay(payCommand()), fault).toMatchObject({ outcome: 'OK' });
    }
    expect(fake.performed.pay - before).toBe(2);
  });

  it.each(['lost', 'cut', 'done500', 500, 503, 409] as const)(
    '%s after the card was handed over: unknown',
    async (fault) => {
      fake.fail(fault, paths.pay);
      expect(await stripe.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    },
  );

  it('a lost answer and a next try that must wait: unknown', async () => {
    fake.fail('lost', paths.pay, 1);
    fake.fail(429, paths.pay, 1);
    expect(await stripe.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it.each(['lost', 'never', 'cut', 500] as const)(
    '%s while the card is handed over: nothing was charged',
    async (fault) => {
      const before = fake.performed.pay;
      fake.fail(fault, paths.card);
      expect(await stripe.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
      expect(fake.performed.pay).toBe(before);
    },
  );

  it('follows no redirect, with a card least of all', async () => {
    fake.fail(307, paths.card);
    expect(await stripe.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    fake.fail(308, paths.pay);
    expect(await stripe.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    expect(fake.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  it('told to wait: nothing was done', async () => {
    const { command, reference } = await paid();
    fake.fail(429, paths.refund);
    const outcome = await stripe.refund(followUp(command, reference));
    expect(outcome).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
  });

  it('no listener: nothing was done; wrong credentials are distinguished', async () => {
    const nobody = processorAt(fake, { base_url: await deadUrl() });
    expect(await nobody.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    expect(await nobody.refund(followUp(payCommand(), 'pi_1'))).toMatchObject({ code: 'processor_unavailable' });
    const refused = processorAt(fake, { secret_key: 'sk_test_someone_else' });
    expect(await refused.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
    await expect(refused.balance()).rejects.toThrow('processor_credentials');
  });

  it('a key that comes with another amount is left open, as its first request may have been done', async () => {
    const command = payCommand();
    expect(await stripe.pay(command)).toMatchObject({ outcome: 'OK' });
    const other = { ...command, money: { ...command.money, minor: 2100n } };
    expect(await stripe.pay(other)).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('says of what a query does not find yet that it is unknown', async () => {
    fake.fail('never', paths.pay);
    const [command, startedAt] = [payCommand(), nowIso()];
    expect(await stripe.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await stripe.query(toQuery('pay', command, { startedAt }))).toMatchObject({ outcome: 'UNKNOWN' });
    move(4 * minute);
    expect(await stripe.query(toQuery('pay', command, { startedAt }))).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('finds a payment among more than a page of others, and none of another key with the same txid', async () => {
    const [command, startedAt] = [payCommand(), nowIso()];
    await stripe.pay(command);
    const one = [...fake.intents.values()].at(-1);
    if (!one) throw new Error('No payment');
    for (let n = 0; n < 250; n += 1) {
      const id = `pi_other${n}`;
      fake.intents.set(id, { ...one, id, metadata: { txid: String(command.txid), key: `other${n}` } });
    }
    expect(await stripe.query(toQuery('pay', command, { startedAt }))).toMatchObject({
      outcome: 'OK',
      reference: one.id,
    });
  });

  it.each(['capture', 'void'] as const)('a %s that never arrived is surely not there after a while', async (kind) => {
    const { command, reference } = await paid(false);
    fake.fail('never', /POST \/v1\/payment_intents\//);
    const order = followUp(command, reference);
    const query = toQuery(kind, order, { paymentReference: reference, startedAt: nowIso() });
    expect(await stripe[kind](order)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await stripe.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    move(5 * minute);
    expect(await stripe.query(query)).toEqual({ outcome: 'NOT_FOUND' });
  });

  it.each([401, 403, 404, 429, 500, 'never'] as const)(
    'a question that cannot be asked (%s) says nothing about what it asks for',
    async (fault) => {
      const { command, reference } = await paid(false);
      const [auth, order, startedAt] = [payCommand(), followUp(command, reference), nowIso()];
      const known = { reference, paymentReference: reference, startedAt };
      const queries = [
        toQuery('pay', auth, { startedAt }),
        toQuery('pay', command, known),
        toQuery('capture', order, known),
        toQuery('refund', order, { ...known, reference: 're_1' }),
        toQuery('refund', order, { ...known, reference: null }),
      ];
      const answer = { idempotencyKey: 'k', reference, authType: 'redirect', authValue: '', miscData: null };
      for (const query of queries) {
        fake.fail(fault, /GET/);
        expect(await stripe.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
      }
      fake.fail(fault, /GET/);
      expect(await stripe.continueAuth(answer)).toMatchObject({ outcome: 'UNKNOWN' });
      const nobody = processorAt(fake, { base_url: await deadUrl() });
      expect(await nobody.query(toQuery('pay', command, known))).toMatchObject({ outcome: 'UNKNOWN' });
    },
  );

  it('cancels a payment whose payer does not return, so that it cannot be paid later', async () => {
    const [command, startedAt] = [payCommand({ number: '4000002760003184' }), nowIso()];
    const outcome = await stripe.pay(command);
    if (outcome.outcome !== 'PEND' || outcome.nextAction?.type !== 'redirect') throw new Error('No redirect');
    const { url } = outcome.nextAction;
    move(hour);
    const query = toQuery('pay', command, { reference: outcome.reference, startedAt });
    expect(await stripe.query(query)).toMatchObject({ code: 'authentication_abandoned' });
    expect(() => fake.authenticate(url, 'approve')).toThrow('canceled');
  });

  const importedOf = () => {
    const sent = new URLSearchParams(fake.requests.at(-1)?.body);
    const prefix = 'payment_method_options[card][three_d_secure]';
    const fields = [...sent].filter(([name]) => name.startsWith(prefix));
    return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
  };
  const asked = { number: '4000002760003184' };

  it('sends a 3DS result that was made before, if it is whole', async () => {
    expect(await stripe.pay({ ...payCommand(asked), threeDs: threeDsResult() })).toMatchObject({ outcome: 'OK' });
    expect(importedOf()).toEqual({
      version: '2.2.0',
      cryptogram: 'AAABBBCCCDDD',
      transaction_id: 'd-1',
      electronic_commerce_indicator: '05',
      ares_trans_status: 'Y',
    });
    const half = { ...payCommand(asked), threeDs: threeDsResult({ cavv: null }) };
    expect(await stripe.pay(half)).toMatchObject({ outcome: 'PEND' });
    const unknownVersion = { ...payCommand(asked), threeDs: threeDsResult({ version: '2.9.0' }) };
    expect(await stripe.pay(unknownVersion)).toMatchObject({ outcome: 'PEND' });
  });

  it('tells Stripe of a challenge, of what was asked for, and of the exemption that was granted', async () => {
    const threeDs = threeDsResult({
      aresTransStatus: 'C',
      challengeTransStatus: 'Y',
      challengeInd: '05',
      exemption: 'tra',
    });
    expect(await stripe.pay({ ...payCommand(asked), threeDs })).toMatchObject({ outcome: 'OK' });
    expect(importedOf()).toMatchObject({
      ares_trans_status: 'C',
      exemption_indicator: 'low_risk',
      requestor_challenge_indicator: '05',
    });
    // An indicator that Stripe does not know would be refused.
    await stripe.pay({ ...payCommand(asked), threeDs: threeDsResult({ eci: '00', exemption: 'trusted' }) });
    expect(Object.keys(importedOf())).toEqual(['version', 'cryptogram', 'transaction_id', 'ares_trans_status']);
  });

  it('does not let Stripe authenticate a second time who was authenticated before', async () => {
    const command = { ...payCommand({ number: '4000008260003178' }), threeDs: threeDsResult() };
    expect(await stripe.pay(command)).toMatchObject({ outcome: 'EXC', code: 'authentication_required' });
    expect(await stripe.pay({ ...payCommand({ number: '4000008260003178' }) })).toMatchObject({ outcome: 'PEND' });
  });

  it.each([
    ['ISK', 500n, '50000'],
    ['UGX', 5n, '500'],
    ['HUF', 1000n, '1000'],
    ['JPY', 500n, '500'],
    ['MGA', 50_000n, '500'],
    ['KWD', 5120n, '5120'],
  ])('writes %s %s as %s', async (currency, minor, sent) => {
    await stripe.pay(payCommand({ currency, minor }));
    expect(new URLSearchParams(fake.requests.at(-1)?.body).get('amount')).toBe(sent);
  });

  it.each([
    ['KWD', 5124n],
    ['MGA', 50_050n],
  ])('refuses %s %s, which it could only round, before anything is sent', async (currency, minor) => {
    const before = fake.requests.length;
    expect(await stripe.pay(payCommand({ currency, minor }))).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(fake.requests.length).toBe(before);
  });

  it('tells funds in our own minor units', async () => {
    expect(await stripe.balance()).toEqual([
      { currency: 'USD', available: 12_345n, reserved: 200n },
      { currency: 'ISK', available: 5n, reserved: 0n },
      { currency: 'JPY', available: -70n, reserved: 0n },
    ]);
  });

  it('sends card data to one address only, and shows it in nothing that it throws, answers or logs', async () => {
    const shown: string[] = [];
    const streams = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        shown.push(String(chunk));
        return true;
      }),
    );
    const numbers = ['4242424242424242', '4242424242424241', '4000000000000002'];
    const faults = [undefined, 'lost', 'cut', 500, 429, 400, 402, 403] as const;
    const outcomes: unknown[] = [];
    for (const number of numbers) {
      for (const fault of faults) {
        if (fault !== undefined) fake.fail(fault, /POST/, 1);
        outcomes.push(await stripe.pay(payCommand({ number })).catch((error: unknown) => error));
      }
    }
    for (const stream of streams) stream.mockRestore();
    const all = `${JSON.stringify(outcomes)}${inspect(outcomes, { depth: null, showHidden: true })}${shown.join('')}`;
    for (const secret of [...numbers, 'ADA LOVELACE', '737', fake.secretKey]) expect(all).not.toContain(secret);
    const told = fake.requests.filter(({ body }) => numbers.some((number) => body.includes(number)));
    expect(new Set(told.map(({ path }) => path))).toEqual(new Set(['/v1/payment_methods']));
  });
});

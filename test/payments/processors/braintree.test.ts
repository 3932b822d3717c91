import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { braintreeProcessor } from '#payments/processors/braintree/braintree-client.ts';
import type { BraintreeCredentials } from '#payments/processors/braintree/braintree-exchange-client.ts';
import { documents } from '#payments/processors/braintree/braintree-requests.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';
import { problemsOfDocument } from '#test/support/fake-braintree-schema.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { memoryClaims } from '#test/support/memory-claims.ts';
import { useServer } from '#test/support/use-server.ts';
import { describeProcessor, followUp, manyDeclines, paidAt, payCommand, threeDsResult, toQuery } from './contract.ts';

const minute = 60_000;
const api = /POST \/graphql/;

const processorAt = (fake: FakeBraintree, change: Partial<BraintreeCredentials> = {}): Processor =>
  braintreeProcessor(
    {
      public_key: fake.publicKey,
      private_key: fake.privateKey,
      environment: 'test',
      merchant_accounts: fake.merchantAccounts,
      base_url: fake.url,
      ...change,
    },
    memoryClaims(),
  );

const move = (milliseconds: number) => {
  const then = nowMilliseconds() + milliseconds;
  setClock(() => then);
};

const notification = (id: string, txid: number) => `<notification>
  <kind>transaction_settled</kind><timestamp type="datetime">2026-05-02T10:00:00Z</timestamp>
  <subject><transaction><id>${id}</id><order-id>${txid}-0123456789abcdef</order-id></transaction></subject></notification>`;

let contracted: FakeBraintree;
describeProcessor('braintree', {
  start: async () => {
    contracted = await startFakeBraintree();
    contracted.settlesAtOnce = true;
    return {
      processor: processorAt(contracted),
      move,
      performed: async () => ({ ...contracted.performed }),
      webhook: async (reference, txid) => contracted.webhook(notification(reference, txid)),
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
    authentication_required: { number: '4000002500001001' },
  },
  lost: { arrange: () => contracted.fail('lost', /ChargeCreditCard/, 1) },
  neverArrives: { arrange: () => contracted.fail('never', /ChargeCreditCard/, 1), certainAfter: 5 * minute },
  lostFollowUp: { arrange: () => contracted.fail('lost', /(?:Capture|Reverse|Refund)Transaction\b/, 1) },
  slow: { arrange: () => contracted.fail('slow', api, 1) },
  refundFails: { number: '4000000000005126' },
  currencies: { none: 'JPY', unsupported: 'KWD' },
  webhook: {
    hasTime: false,
    changed: (rawBody, reference) => {
      const form = new URLSearchParams(rawBody);
      const xml = Buffer.from(form.get('bt_payload') ?? '', 'base64').toString();
      form.set('bt_payload', Buffer.from(xml.replaceAll(reference, `${reference}x`)).toString('base64'));
      return form.toString();
    },
  },
});

describe('braintree: when Braintree fails or sends an unusual reply', async () => {
  const fake = await useServer(startFakeBraintree());
  const braintree = processorAt(fake);
  afterEach(() => {
    setClock();
    fake.lag = 0;
    fake.settlesAtOnce = false;
  });
  const paid = (capture = true) => paidAt(braintree, capture);

  it('tells the authorisation code, and the short identifier that its pages show', async () => {
    const { outcome, reference } = await paid();
    expect(outcome).toMatchObject({ authCode: '123456' });
    expect(fake.records.has(reference)).toBe(true);
  });

  it.each(['lost', 'cut', 'done500', 500, 'never'] as const)(
    '%s after the card was handed over: unknown',
    async (fault) => {
      fake.fail(fault, /ChargeCreditCard/, 1);
      expect(await braintree.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    },
  );

  it.each(['lost', 'never', 'cut', 500] as const)(
    '%s while the card is handed over: nothing was charged',
    async (fault) => {
      const before = fake.performed.pay;
      fake.fail(fault, /TokenizeCreditCard/);
      expect(await braintree.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
      expect(fake.performed.pay).toBe(before);
    },
  );

  it('told to wait: nothing was done', async () => {
    fake.fail(429, /ChargeCreditCard/, 1);
    expect(await braintree.pay(payCommand())).toMatchObject({
      outcome: 'EXC',
      code: 'processor_unavailable',
      reference: null,
    });
  });

  it('no listener: nothing was done; wrong keys, and keys without the right, are distinguished', async () => {
    const nobody = processorAt(fake, { base_url: await deadUrl() });
    expect(await nobody.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    expect(await nobody.refund(followUp(payCommand(), 'abc'))).toMatchObject({ code: 'processor_unavailable' });
    for (const change of [{ private_key: 'another' }, { public_key: fake.readOnlyKey }]) {
      const refused = processorAt(fake, change);
      expect(await refused.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
    }
  });

  it('takes only currencies that it has a merchant account for', async () => {
    const outcome = await processorAt(fake, { merchant_accounts: { EUR: 'shop_eur' } }).pay(payCommand());
    expect(outcome).toMatchObject({ outcome: 'EXC', code: 'currency_not_supported', reference: null });
  });

  it('undoes a payment whose merchant account turns out to be of another currency', async () => {
    const outcome = await processorAt(fake, { merchant_accounts: { USD: 'shop_eur' } }).pay(payCommand());
    expect(outcome).toMatchObject({ outcome: 'EXC', code: 'currency_not_supported', reference: expect.any(String) });
    expect([...fake.records.values()].at(-1)?.status).toBe('VOIDED');
  });

  it('voids what has not settled, refunds what has, and refuses parts before', async () => {
    const [whole, part] = [await paid(), await paid()];
    expect(await braintree.refund(followUp(whole.command, whole.reference))).toMatchObject({
      outcome: 'OK',
      reference: whole.reference,
    });
    expect(fake.records.get(whole.reference)?.status).toBe('VOIDED');
    const order = followUp(part.command, part.reference, 500n);
    expect(await braintree.refund(order)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
    fake.settle();
    expect(await braintree.refund(order), 'the same key again, as nothing was done').toMatchObject({ outcome: 'OK' });
    expect(await braintree.refund(followUp(part.command, part.reference, 1501n))).toMatchObject({
      code: 'refund_failed',
    });
  });

  it('finds a void that was a refund, by its reference and without', async () => {
    const { command, reference } = await paid();
    const order = followUp(command, reference);
    const startedAt = nowIso();
    fake.fail('lost', /ReverseTransaction/, 1);
    expect(await braintree.refund(order)).toMatchObject({ outcome: 'UNKNOWN' });
    const known = { paymentReference: reference, startedAt };
    expect(await braintree.query(toQuery('refund', order, known))).toMatchObject({ outcome: 'OK', reference });
    expect(await braintree.query(toQuery('refund', order, { ...known, reference }))).toMatchObject({ outcome: 'OK' });
  });

  it('never sends one key twice, also while searches do not show the first yet', async () => {
    fake.settlesAtOnce = true;
    const before = { ...fake.performed };
    fake.lag = 10 * minute;
    const { command, reference } = await paid();
    expect(await braintree.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
    const order = followUp(command, reference, 500n);
    await Promise.all([braintree.refund(order), braintree.refund(order)]);
    expect([fake.performed.pay - before.pay, fake.performed.refund - before.refund]).toEqual([1, 1]);
  });

  it.each(['capture', 'void'] as const)(
    'a %s that never arrived lets the other be done, once that is certain',
    async (kind) => {
      const { command, reference } = await paid(false);
      const other = kind === 'capture' ? 'void' : 'capture';
      fake.fail('never', /(?:Capture|Reverse)Transaction/, 1);
      const order = followUp(command, reference);
      const query = toQuery(kind, order, { paymentReference: reference, startedAt: nowIso() });
      expect(await braintree[kind](order)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await braintree.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await braintree[other](followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
      move(5 * minute);
      expect(await braintree.query(query)).toEqual({ outcome: 'NOT_FOUND' });
      expect(await braintree[other](followUp(command, reference))).toMatchObject({ outcome: 'OK' });
    },
  );

  it.each([401, 403, 429, 500, 'never'] as const)(
    'a question that cannot be asked (%s) says nothing',
    async (fault) => {
      const { command, reference } = await paid(false);
      const order = followUp(command, reference);
      const known = { paymentReference: reference, startedAt: nowIso() };
      const questions = [
        toQuery('pay', command, { ...known, reference }),
        toQuery('pay', command, known),
        toQuery('capture', order, known),
        toQuery('refund', order, { ...known, reference: 'another' }),
        toQuery('refund', order, known),
      ];
      for (const question of questions) {
        fake.fail(fault, api);
        expect(await braintree.query(question)).toMatchObject({ outcome: 'UNKNOWN' });
      }
    },
  );

  it('sends a descriptor only where it has the form that is taken, and a whole 3DS result', async () => {
    const sent = () => JSON.parse(fake.requests.at(-1)?.body ?? '{}').variables.input;
    const threeDs = threeDsResult();
    expect(await braintree.pay({ ...payCommand(), descriptor: 'SHO*ONLINE 123', threeDs })).toMatchObject({
      outcome: 'OK',
    });
    expect(sent().transaction.descriptor).toEqual({ name: 'SHO*ONLINE 123' });
    expect(sent().options.threeDSecureAuthentication.passThrough).toMatchObject({
      eciFlag: '05',
      cavv: 'AAABBBCCCDDD',
    });
    expect(
      await braintree.pay({ ...payCommand(), descriptor: 'SHOP*ONLINE', threeDs: threeDsResult({ cavv: null }) }),
    ).toMatchObject({
      outcome: 'OK',
    });
    expect(sent().transaction.descriptor).toBeUndefined();
    expect(sent().options).toBeUndefined();
  });

  it.each([
    ['4242424242424242', 'Y', '05'],
    ['4242424242424242', 'A', '06'],
    ['5555555555554444', 'Y', '02'],
    ['5555555555554444', 'A', '01'],
    ['5555555555554444', 'N', '00'],
  ])(
    'sends the indicator that the network of %s gives for %s where the result has none',
    async (number, status, eci) => {
      const threeDs = threeDsResult({ eci: null, transStatus: status });
      await braintree.pay({ ...payCommand({ number }), threeDs });
      const { options } = JSON.parse(fake.requests.at(-1)?.body ?? '{}').variables.input;
      expect(options.threeDSecureAuthentication.passThrough).toMatchObject({ eciFlag: eci });
    },
  );

  it('sends card data in one request only, and shows it in nothing that it answers', async () => {
    const numbers = ['4242424242424242', '4242424242424241', '4000000000000002'];
    const outcomes: unknown[] = [];
    for (const number of numbers) {
      for (const fault of [undefined, 'lost', 'cut', 500, 429] as const) {
        if (fault !== undefined) fake.fail(fault, api, 1);
        outcomes.push(await braintree.pay(payCommand({ number })));
      }
    }
    const shown = `${JSON.stringify(outcomes)}${inspect(outcomes, { depth: null, showHidden: true })}`;
    for (const secret of [...numbers, '737', fake.privateKey]) expect(shown).not.toContain(secret);
    const told = fake.requests.filter(({ body }) => numbers.some((number) => body.includes(number)));
    expect(new Set(told.map(({ body }) => /mutation (\w+)/.exec(body)?.[1]))).toEqual(new Set(['TokenizeCreditCard']));
  });
});

describe('braintree: webhooks', () => {
  it('name the transaction of a dispute, and what a failed refund was of', async () => {
    const fake = await startFakeBraintree();
    const read = (xml: string, key?: string) => processorAt(fake).readWebhook(fake.webhook(xml, key));
    const dispute = `<notification><kind>dispute_opened</kind><subject><dispute><id>d1</id><transaction><id>t1</id>
      <order-id>shop-7</order-id></transaction></dispute></subject></notification>`;
    const refund = `<notification><kind>refund_failed</kind><subject><transaction><id>r1</id>
      <refunded-transaction-id>t1</refunded-transaction-id></transaction></subject></notification>`;
    expect(await read(dispute)).toMatchObject([{ txid: null, references: ['t1'] }]);
    expect(await read(refund)).toMatchObject([{ references: ['r1', 't1'] }]);
    expect(await read('<notification><kind>check</kind></notification>')).toMatchObject([{ references: [] }]);
    expect(await read('<!DOCTYPE a [<!ENTITY b "c">]><notification>&b;</notification>')).toEqual([]);
    expect(await read(dispute, 'another key')).toBeUndefined();
    await fake[Symbol.asyncDispose]();
  });
});

describe('braintree: the schema', () => {
  it.each(Object.entries(documents))('%s is a document of it', (_name, document) => {
    expect(problemsOfDocument(document)).toEqual([]);
  });

  it.each([
    ['a selection', documents.ping.replace('ping }', 'pong }'), {}],
    ['an argument', documents.idFromLegacyId.replace('type: $type', 'kind: $type'), { legacyId: 'x', type: 'REFUND' }],
    ['an input field', documents.transactions, { input: { orderID: { is: 'x' } } }],
    ['a value of an enumeration', documents.idFromLegacyId, { legacyId: 'x', type: 'REFUNDS' }],
    ['a date', documents.disputes, { input: { receivedDate: { greaterThanOrEqualTo: '2026-5-1' } } }],
    ['an amount', documents.captureTransaction, { input: { transactionId: 'x', transaction: { amount: '1.5' } } }],
    ['nothing for what is required', documents.refundTransaction, { input: { refund: { amount: '1.00' } } }],
  ])('%s that it does not have is refused by the stand-in', async (_what, query, variables) => {
    await using fake = await startFakeBraintree();
    const { publicKey, privateKey } = fake;
    const response = await fetch(`${fake.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`,
        'braintree-version': '2019-01-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, variables }),
    });
    expect(await response.json()).toMatchObject({
      errors: expect.arrayContaining([
        { message: expect.any(String), extensions: { errorClass: 'VALIDATION', errorType: 'developer_error' } },
      ]),
    });
  });
});

import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { nmiProcessor } from '#payments/processors/nmi/nmi-client.ts';
import { readNmiReport } from '#payments/processors/nmi/nmi-transaction.ts';
import type { Processor } from '#payments/processors/ports/processor.ts';
import { declaresEntities } from '#payments/processors/xml.ts';
import { type FakeNmi, startFakeNmi } from '#test/support/fake-nmi.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { memoryClaims } from '#test/support/memory-claims.ts';
import { useServer } from '#test/support/use-server.ts';
import { describeProcessor, followUp, manyDeclines, paidAt, payCommand, threeDsResult, toQuery } from './contract.ts';

const minute = 60_000;
const transacts = /POST \/api\/transact\.php/;
const queries = /POST \/api\/query\.php/;

const processorAt = (fake: FakeNmi, change: { security_key?: string; base_url?: string } = {}): Processor =>
  nmiProcessor(
    {
      security_key: fake.securityKey,
      webhook_key: fake.webhookKey,
      environment: 'test',
      base_url: fake.url,
      ...change,
    },
    memoryClaims(),
  );

const move = (milliseconds: number) => {
  const then = nowMilliseconds() + milliseconds;
  setClock(() => then);
};

let contracted: FakeNmi;
describeProcessor('nmi', {
  start: async () => {
    contracted = await startFakeNmi();
    return {
      processor: processorAt(contracted),
      move,
      performed: async () => ({ ...contracted.performed }),
      webhook: async (reference, txid) =>
        contracted.webhook({
          event_id: '9b312dfd-3174-4748-9447-d63c8744305a',
          event_type: 'transaction.sale.success',
          event_body: { transaction_id: reference, order_id: `${txid}-0123456789abcdef` },
        }),
    };
  },
  stop: async () => {
    setClock();
    await contracted[Symbol.asyncDispose]();
  },
  approve: {},
  declines: manyDeclines,
  lost: { arrange: () => contracted.fail('lost', transacts, 1) },
  neverArrives: { arrange: () => contracted.fail('never', transacts, 1), certainAfter: 5 * minute },
  lostFollowUp: { arrange: () => contracted.fail('lost', transacts, 1) },
  slow: { arrange: () => contracted.fail('slow', transacts, 1) },
  refundFails: { number: '4000000000005126' },
  currencies: { unsupported: 'JPY' },
  webhook: { hasTime: false },
});

describe('nmi: when NMI fails or sends an unusual reply', async () => {
  const fake = await useServer(startFakeNmi());
  const nmi = processorAt(fake);
  afterEach(() => {
    setClock();
    fake.lag = 0;
    fake.checksDuplicates = false;
  });
  const paid = (capture = true) => paidAt(nmi, capture);

  it('tells the authorisation code of a payment', async () => {
    expect((await paid()).outcome).toMatchObject({ authCode: '123456' });
  });

  it.each(['lost', 'cut', 'done500', 500, 503, 'never'] as const)('%s: unknown, and sent once', async (fault) => {
    const before = fake.requests.length;
    fake.fail(fault, transacts, 1);
    expect(await nmi.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    expect(fake.requests.length - before).toBe(1);
  });

  it('a question whose connection breaks off is asked once more', async () => {
    const { command, reference } = await paid();
    fake.fail('lost', queries, 1);
    const query = toQuery('pay', command, { reference, startedAt: nowIso() });
    expect(await nmi.query(query)).toMatchObject({ outcome: 'OK', reference });
  });

  it('told to wait: nothing was done', async () => {
    fake.fail(429, transacts, 1);
    expect(await nmi.pay(payCommand())).toMatchObject({
      outcome: 'EXC',
      code: 'processor_unavailable',
      reference: null,
    });
  });

  it('no listener: nothing was done; wrong keys, and keys without the right, are distinguished', async () => {
    const nobody = processorAt(fake, { base_url: await deadUrl() });
    expect(await nobody.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    expect(await nobody.refund(followUp(payCommand(), '4000000001'))).toMatchObject({ code: 'processor_unavailable' });
    for (const security_key of ['another', fake.queryOnlyKey]) {
      const refused = processorAt(fake, { security_key });
      expect(await refused.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
    }
  });

  it.each(['capture', 'void', 'refund'] as const)(
    'a %s asks nothing of a payment that it cannot look at',
    async (kind) => {
      const { command, reference } = await paid(kind === 'refund');
      const before = { ...fake.performed };
      if (kind === 'capture') fake.fail(500, transacts, 1);
      else fake.fail(500, queries, 1);
      const outcome = await nmi[kind](followUp(command, reference));
      expect(outcome).toMatchObject(
        kind === 'capture' ? { outcome: 'UNKNOWN' } : { outcome: 'EXC', code: 'processor_unavailable' },
      );
      expect(fake.performed).toEqual(before);
    },
  );

  it('voids what has not settled, refunds what has, and refunds parts either way', async () => {
    const [whole, part, settled] = [await paid(), await paid(), await paid()];
    const voided = await nmi.refund(followUp(whole.command, whole.reference));
    expect(voided).toMatchObject({ outcome: 'OK', reference: whole.reference });
    expect(fake.records.get(whole.reference)?.condition).toBe('canceled');
    expect(await nmi.refund(followUp(part.command, part.reference, 500n))).toMatchObject({ outcome: 'OK' });
    expect(fake.records.get(part.reference)?.condition).toBe('pendingsettlement');
    fake.settle();
    const refunded = await nmi.refund(followUp(settled.command, settled.reference));
    expect(refunded).toMatchObject({ outcome: 'OK' });
    expect(refunded).not.toMatchObject({ reference: settled.reference });
    expect(await nmi.refund(followUp(part.command, part.reference, 1501n))).toMatchObject({ code: 'refund_failed' });
  });

  it('finds a void that was a refund, by its reference and without', async () => {
    const { command, reference } = await paid();
    const order = followUp(command, reference);
    const startedAt = nowIso();
    fake.fail('lost', transacts, 1);
    expect(await nmi.refund(order)).toMatchObject({ outcome: 'UNKNOWN' });
    const known = { paymentReference: reference, startedAt };
    expect(await nmi.query(toQuery('refund', order, known))).toMatchObject({ outcome: 'OK', reference });
    expect(await nmi.query(toQuery('refund', order, { ...known, reference }))).toMatchObject({ outcome: 'OK' });
  });

  it('never sends one key twice, also while reports do not show the first yet', async () => {
    fake.lag = 10 * minute;
    const before = { ...fake.performed };
    const { command, reference } = { ...(await paid()), ...{} };
    expect(await nmi.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
    fake.lag = 0;
    const order = followUp(command, reference, 500n);
    const both = await Promise.all([nmi.refund(order), nmi.refund(order)]);
    expect(both.filter(({ outcome }) => outcome === 'OK').length).toBeGreaterThan(0);
    expect([fake.performed.pay - before.pay, fake.performed.refund - before.refund]).toEqual([1, 1]);
  });

  it.each(['capture', 'void'] as const)(
    'a %s that never arrived lets the other be done, once that is certain',
    async (kind) => {
      const { command, reference } = await paid(false);
      const other = kind === 'capture' ? 'void' : 'capture';
      fake.fail('never', transacts, 1);
      const order = followUp(command, reference);
      const query = toQuery(kind, order, { paymentReference: reference, startedAt: nowIso() });
      expect(await nmi[kind](order)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await nmi.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await nmi[other](followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
      move(5 * minute);
      expect(await nmi.query(query)).toEqual({ outcome: 'NOT_FOUND' });
      expect(await nmi[other](followUp(command, reference))).toMatchObject({ outcome: 'OK' });
    },
  );

  it('a duplicate by the account’s own rules is said to be one, and no other route is tried', async () => {
    fake.checksDuplicates = true;
    const command = payCommand({ minor: 4321n });
    expect(await nmi.pay(command)).toMatchObject({ outcome: 'OK' });
    expect(await nmi.pay(payCommand({ minor: 4321n }))).toMatchObject({ outcome: 'EXC', code: 'already_done' });
  });

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
        toQuery('refund', order, { ...known, reference: '4999999999' }),
        toQuery('refund', order, known),
      ];
      for (const question of questions) {
        fake.fail(fault, queries);
        expect(await nmi.query(question)).toMatchObject({ outcome: 'UNKNOWN' });
      }
      const refused = processorAt(fake, { security_key: fake.paymentOnlyKey });
      expect(await refused.query(toQuery('pay', command, known))).toMatchObject({ outcome: 'UNKNOWN' });
    },
  );

  it('sends a 3DS result that was made before, if it is whole', async () => {
    const threeDs = threeDsResult();
    expect(await nmi.pay({ ...payCommand(), threeDs })).toMatchObject({ outcome: 'OK' });
    const sent = new URLSearchParams(fake.requests.at(-1)?.body);
    expect([sent.get('cavv'), sent.get('directory_server_id')]).toEqual(['AAABBBCCCDDD', 'd-1']);
    expect(await nmi.pay({ ...payCommand(), threeDs: threeDsResult({ cavv: null }) })).toMatchObject({ outcome: 'OK' });
    expect(new URLSearchParams(fake.requests.at(-1)?.body).has('eci')).toBe(false);
  });

  it.each<readonly [string | null, string | null]>([
    ['Y', 'verified'],
    ['A', 'attempted'],
    ...['N', 'R', 'U', 'I', 'C', 'D', 'S', null].map((status) => [status, null] as const),
  ])('says of an authentication that ended with %s: %s', async (transStatus, said) => {
    await nmi.pay({ ...payCommand(), threeDs: threeDsResult({ transStatus }) });
    expect(new URLSearchParams(fake.requests.at(-1)?.body).get('cardholder_auth')).toBe(said);
  });

  it('shows nothing of the card, whatever NMI says', async () => {
    const outcomes: unknown[] = [];
    for (const number of ['4242424242424241', '4000000000000002']) {
      for (const fault of [undefined, 'lost', 'cut', 500, 429] as const) {
        if (fault !== undefined) fake.fail(fault, transacts, 1);
        outcomes.push(await nmi.pay(payCommand({ number })));
      }
    }
    const shown = `${JSON.stringify(outcomes)}${inspect(outcomes, { depth: null, showHidden: true })}`;
    for (const secret of ['4242424242424241', '4000000000000002', '737', fake.securityKey])
      expect(shown).not.toContain(secret);
  });
});

describe('nmi: reports', () => {
  const transaction = '<transaction><transaction_id>1</transaction_id><order_id>a &amp; b</order_id></transaction>';
  const report = (inner: string, before = '') => `${before}<nm_response>${inner}</nm_response>`;

  it('are read with the entities that every XML has', () => {
    expect(readNmiReport(report(transaction))).toMatchObject({ transactions: [{ id: '1', orderId: 'a & b' }] });
    expect(readNmiReport(report(''))).toEqual({ transactions: [] });
    expect(readNmiReport('<nm_response/>')).toEqual({ transactions: [] });
  });

  it.each([
    ['declares a document type', report(transaction, '<!DOCTYPE nm_response [<!ENTITY a "1">]>')],
    ['declares one in other letters', report(transaction, '<!doctype nm_response SYSTEM "file:///etc/passwd">')],
    ['uses an entity of its own', report('<transaction><transaction_id>&a;</transaction_id></transaction>')],
    ['is cut off', report(transaction).slice(0, -5)],
    ['is no report', '<html><body>Maintenance</body></html>'],
    ['is empty', ''],
    ['is not well-formed', report('<transaction><transaction_id>1</order_id></transaction>')],
    ['has a transaction without an identifier', report('<transaction><order_id>7</order_id></transaction>')],
  ])('what %s is none', (_, xml) => expect(readNmiReport(xml)).toBeUndefined());

  it('takes no ampersand that begins nothing which every XML has', () => {
    expect(['&amp; &#38; &#x26;', '&lt;'].map(declaresEntities)).toEqual([false, false]);
    expect(['&xxe;', '&amp', 'a & b'].map(declaresEntities)).toEqual([true, true, true]);
  });
});

import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { newTimedId, randomText } from '#core/kernel/ids.ts';
import type { Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import {
  behaviourOf,
  fromReference,
  type SandboxRequest,
  withOperation,
} from '#payments/processors/sandbox/sandbox.ts';
import { sandboxProcessor } from '#payments/processors/sandbox/sandbox-client.ts';
import {
  type PaymentReference,
  readReference,
  writeReference,
} from '#payments/processors/sandbox/sandbox-reference.ts';
import { useTable } from '#test/support/table.ts';
import { followUp, payCommand, toQuery } from './contract.ts';

useTable();
vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterEach(() => setClock());

const ring = { current: 'k1', keys: { k1: 'the key' } };
const pauses: number[] = [];
const sandbox = (sid = 7, keys = ring): Processor =>
  sandboxProcessor({ sid, ring: keys, pause: async (time) => void pauses.push(time) });
const getReference = (outcome: ProcessorResult): string => ('reference' in outcome ? (outcome.reference ?? '') : '');
const paid = async (minor: bigint, change: Parameters<typeof payCommand>[0] = {}) => {
  const command = payCommand({ minor, ...change });
  return { command, reference: getReference(await sandbox().pay(command)) };
};
const later = (time: number) => {
  const moment = nowMilliseconds() + time;
  setClock(() => moment);
};

describe('amounts', () => {
  it.each([
    [1061n, 'pending'],
    [61n, 'pending'],
    [100_062n, 'lost'],
    [6100n, 'plain'],
    [0n, 'plain'],
    [160n, 'plain'],
    [170n, 'plain'],
  ])('%d minor units: %s', (minor, behaviour) => expect(behaviourOf(minor)).toBe(behaviour));

  it.each(['USD', 'JPY', 'KWD'])('count by the last two digits of the minor units, in %s too', async (currency) => {
    const outcome = await sandbox().pay(payCommand({ minor: 1061n, currency }));
    expect(outcome).toMatchObject({ outcome: 'PEND', nextAction: null });
  });

  it('a card that is declined is declined whatever the amount', async () => {
    for (const minor of [1061n, 1062n, 1063n, 1064n, 1066n]) {
      const outcome = await sandbox().pay(payCommand({ minor, number: '4000000000000002' }));
      expect(outcome).toMatchObject({ outcome: 'EXC', code: 'card_declined' });
    }
  });

  it('nothing is no amount', async () => {
    expect(await sandbox().pay(payCommand({ minor: 0n }))).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
  });

  it('one that is slow is answered after four seconds', async () => {
    await paid(1067n);
    expect(pauses).toEqual([4000]);
  });

  it('an authorisation whose captures fail can still be voided', async () => {
    const { command, reference } = await paid(1069n, { capture: false });
    expect(await sandbox().capture(followUp(command, reference))).toMatchObject({ code: 'capture_failed' });
    expect(await sandbox().void(followUp(command, reference))).toMatchObject({ outcome: 'OK' });
  });
});

describe('what a plain payment leaves', () => {
  it('no row, and nothing that is read or written', async () => {
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await paid(1000n);
    await paid(1061n);
    await sandbox().pay(payCommand({ number: '4000000000000069' }));
    expect(send).not.toHaveBeenCalled();
    send.mockRestore();
  });

  it('a reference that holds for its site only, and cannot be changed', async () => {
    const { command, reference } = await paid(1000n);
    const forged = [reference.replace('.1000.', '.9000.'), reference.replace('.pay.', '.payout.'), '', 'sbx_', 'x.y'];
    for (const one of forged) {
      expect(await sandbox().refund(followUp(command, one))).toMatchObject({ code: 'not_found_at_processor' });
    }
    expect(await sandbox(8).refund(followUp(command, reference))).toMatchObject({ code: 'not_found_at_processor' });
    expect(await sandbox().refund(followUp(command, reference))).toMatchObject({ outcome: 'OK' });
  });

  it('a reference that outlives its key', async () => {
    const { command, reference } = await paid(1000n);
    const rotated = { current: 'k2', keys: { ...ring.keys, k2: 'the next key' } };
    expect(await sandbox(7, rotated).refund(followUp(command, reference))).toMatchObject({ outcome: 'OK' });
  });

  it('a reference that says all of it', () => {
    const reference = fc.record({
      kind: fc.constantFrom('pay' as const, 'payout' as const),
      id: fc.stringMatching(/^[0-9a-f]{32}$/),
      minor: fc.bigInt({ min: 1n, max: 10n ** 18n }),
      currency: fc.constantFrom('USD', 'JPY', 'KWD'),
      capture: fc.boolean(),
      begunAt: fc.integer({ min: 0, max: 4e12 }),
    });
    fc.assert(
      fc.property(reference, (one) => {
        expect(readReference(ring, 7, writeReference(ring, 7, one))).toEqual(one);
      }),
    );
  });
});

describe('refunds of another amount than the payment', () => {
  it('are pending for a minute, and hold the amount meanwhile', async () => {
    const { command, reference } = await paid(2000n);
    const order = followUp(command, reference, 1061n);
    const begun = await sandbox().refund(order);
    expect(begun).toMatchObject({ outcome: 'PEND', nextAction: null });
    expect(await sandbox().refund(followUp(command, reference, 1000n))).toMatchObject({ outcome: 'EXC' });
    later(milliseconds.minute);
    const query = toQuery('refund', order, { reference: getReference(begun), startedAt: nowIso() });
    expect(await sandbox().query(query)).toMatchObject({ outcome: 'OK' });
  });

  it('are lost and found, fail, or never arrive', async () => {
    const { command, reference } = await paid(9000n);
    const known = { paymentReference: reference, startedAt: nowIso() };
    const lost = followUp(command, reference, 1062n);
    expect(await sandbox().refund(lost)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await sandbox().query(toQuery('refund', lost, known))).toMatchObject({ outcome: 'OK' });
    expect(await sandbox().refund(lost), 'asked again with its key').toMatchObject({ outcome: 'OK' });
    expect(await sandbox().refund(followUp(command, reference, 1065n))).toMatchObject({ code: 'refund_failed' });
    const never = followUp(command, reference, 1066n);
    expect(await sandbox().refund(never)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await sandbox().query(toQuery('refund', never, known))).toMatchObject({ outcome: 'NOT_FOUND' });
    expect(await sandbox().refund(followUp(command, reference, 9000n - 1062n))).toMatchObject({ outcome: 'OK' });
  });

  it('a whole refund of a payment that was lost is not lost too', async () => {
    const command = payCommand({ minor: 1062n });
    await sandbox().pay(command);
    const found = await sandbox().query(toQuery('pay', command, { startedAt: nowIso() }));
    const outcome = found.outcome === 'NOT_FOUND' ? '' : getReference(found);
    expect(await sandbox().refund(followUp(command, outcome))).toMatchObject({ outcome: 'OK' });
  });
});

describe('a query without a reference', () => {
  it('is certain only when nothing can be on its way any more', async () => {
    const command = payCommand();
    const query = toQuery('pay', command, { startedAt: nowIso() });
    expect(await sandbox().query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    later(2 * milliseconds.minute);
    expect(await sandbox().query(query)).toEqual({ outcome: 'NOT_FOUND' });
  });
});

describe('payouts', () => {
  const payout = async (minor: bigint) => {
    const { capture: _, returnUrl: __, threeDs: ___, ...command } = payCommand({ minor });
    return { command, outcome: await sandbox().payout(command) };
  };

  it('follow the table as far as no person must act', async () => {
    expect((await payout(1061n)).outcome).toMatchObject({ outcome: 'PEND', nextAction: null });
    expect((await payout(1063n)).outcome).toMatchObject({ outcome: 'OK' });
    expect((await payout(1064n)).outcome).toMatchObject({ outcome: 'OK' });
    const { command, outcome } = await payout(1062n);
    expect(outcome).toMatchObject({ outcome: 'UNKNOWN' });
    const found = await sandbox().query(toQuery('payout', command, { startedAt: nowIso() }));
    expect(found).toMatchObject({ outcome: 'OK' });
  });

  it('are not refunded', async () => {
    const { command, outcome } = await payout(1000n);
    const order = { idempotencyKey: randomText(32), txid: newTimedId(), money: command.money };
    const refund = await sandbox().refund({ ...order, reference: getReference(outcome) });
    expect(refund).toMatchObject({ outcome: 'EXC', code: 'operation_not_supported' });
  });
});

describe('the books of a payment', () => {
  const reference: PaymentReference = {
    kind: 'pay',
    id: '0'.repeat(32),
    minor: 1000n,
    currency: 'USD',
    capture: false,
    begunAt: 0,
  };
  const orders = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      kind: fc.constantFrom('capture' as const, 'void' as const, 'refund' as const),
      minor: fc.constantFrom(1n, 300n, 400n, 999n, 1000n, 1001n),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
    }),
    { maxLength: 30 },
  );

  it('never pay back more than was captured, and never capture what was voided, whatever is asked in whatever order', () => {
    fc.assert(
      fc.property(orders, fc.boolean(), (asked: SandboxRequest[], capture) => {
        let payment = fromReference(7, { ...reference, capture });
        if (!payment) throw new Error('A plain payment has no row');
        for (const request of asked) payment = withOperation(payment, request, 1e12);
        const done = Object.values(payment.operations).filter(({ refused }) => refused === null);
        const sum = (kind: SandboxRequest['kind']) =>
          done.filter((one) => one.kind === kind).reduce((total, { minor }) => total + BigInt(minor), 0n);
        const captured = capture ? 1000n : sum('capture');
        expect(captured).toBeLessThanOrEqual(1000n);
        expect(sum('refund')).toBeLessThanOrEqual(captured);
        expect(payment.refunded).toBe(String(sum('refund')));
        expect(done.filter(({ kind }) => kind !== 'refund').length).toBeLessThanOrEqual(capture ? 0 : 1);
      }),
    );
  });
});

describe('when another process is quicker', () => {
  it.each([
    ['the first of all', 0n],
    ['a later one', 1n],
  ])('of two refunds that are too much together one is made, %s', async (_, earlier) => {
    const { command, reference } = await paid(1000n);
    if (earlier > 0n) await sandbox().refund(followUp(command, reference, earlier));
    const send = DynamoDBDocumentClient.prototype.send;
    let other: ProcessorResult | undefined;
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
      this: DynamoDBDocumentClient,
      ...parameters: unknown[]
    ) {
      if (parameters[0] instanceof PutCommand) {
        spy.mockRestore();
        other = await sandbox().refund(followUp(command, reference, 900n));
      }
      return Reflect.apply(send, this, parameters);
    });
    expect(await sandbox().refund(followUp(command, reference, 800n))).toMatchObject({ outcome: 'EXC' });
    expect(other).toMatchObject({ outcome: 'OK' });
    const rest = 1000n - 900n - earlier;
    expect(await sandbox().refund(followUp(command, reference, rest + 1n))).toMatchObject({ outcome: 'EXC' });
    expect(await sandbox().refund(followUp(command, reference, rest))).toMatchObject({ outcome: 'OK' });
  });
});

describe('when the table fails', () => {
  it.each(['before', 'after'])(
    'nobody knows whether a refund was made (%s its write); the same key makes it once',
    async (when) => {
      const { command, reference } = await paid(1000n);
      const order = followUp(command, reference, 600n);
      const send = DynamoDBDocumentClient.prototype.send;
      const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
        this: DynamoDBDocumentClient,
        ...parameters: unknown[]
      ) {
        const isWrite = parameters[0] instanceof PutCommand;
        if (isWrite && when === 'before') throw new Error('The connection broke');
        const answer = await Reflect.apply(send, this, parameters);
        if (isWrite) throw new Error('The connection broke');
        return answer;
      });
      expect(await sandbox().refund(order)).toMatchObject({ outcome: 'UNKNOWN' });
      spy.mockRestore();
      expect(await sandbox().refund(order)).toMatchObject({ outcome: 'OK' });
      expect(await sandbox().refund(followUp(command, reference, 401n))).toMatchObject({ outcome: 'EXC' });
      expect(await sandbox().refund(followUp(command, reference, 400n))).toMatchObject({ outcome: 'OK' });
    },
  );
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { ChargeCandidate, DisputedCharge } from '#payments/processors/ports/connected-processor.ts';
import { connectSandbox } from '#payments/processors/sandbox/sandbox-connected-store.ts';
import { useTable } from '#test/support/table.ts';
import { aDispute, aRefund } from './contract.ts';

useTable();

let mid: number;
beforeEach(() => {
  mid = newTimedId();
  const noon = Date.parse('2026-05-02T23:30:00Z');
  setClock(() => noon);
});
afterEach(() => setClock());

const today = (minor: bigint, change: Partial<DisputedCharge> = {}) =>
  aDispute({ money: { minor, currency: 'USD' }, day: '2026-05-02T12:00:00Z', ...change });
const ofDay = async (minor: bigint, change: Partial<DisputedCharge> = {}): Promise<ChargeCandidate[]> => {
  const found = await connectSandbox(mid).find(today(minor, change));
  if ('problem' in found) throw new Error(found.detail);
  return found.candidates.filter(({ money, date }) => money.minor === minor && date.startsWith('2026-05-02'));
};
const one = async (minor: bigint, change: Partial<DisputedCharge> = {}): Promise<ChargeCandidate> => {
  const [candidate, ...others] = await ofDay(minor, change);
  if (!candidate || others.length > 0) throw new Error(`${others.length} others`);
  return candidate;
};
const mastercard = { first6: '555555', last4: '4444' };

describe('charges at the sandbox that a merchant took elsewhere', () => {
  it('are the same every day, and have what an alert may name them by', async () => {
    const charge = await one(4520n);
    expect(charge).toMatchObject({
      ...{
        reference: 'sbc_20260502_02',
        type: 'sale',
        date: '2026-05-02T01:00:00.000Z',
        last4: '1111',
        first6: '411111',
      },
      ...{ captured: 4520n, refunded: 0n, isSettled: true, arn: expect.stringMatching(/^\d{23}$/) },
      authCode: expect.stringMatching(/^\d{6}$/),
    });
    const around = await connectSandbox(mid).find(today(4520n));
    if ('problem' in around) throw new Error(around.detail);
    expect(new Set(around.candidates.map(({ date }) => date.slice(0, 10)))).toEqual(
      new Set(['2026-04-30', '2026-05-01', '2026-05-02']),
    );
    expect(new Set(around.candidates.map(({ authCode }) => authCode)).size).toBe(around.candidates.length);
  });

  it('are not there before they are made, nor under another name', async () => {
    setClock(() => Date.parse('2026-05-02T00:30:00Z'));
    expect(await ofDay(4520n)).toEqual([]);
    for (const reference of ['sbc_20260502_02', 'sbc_20260502_21', 'sbc_20260502_00', 'ch_1', '']) {
      expect(await connectSandbox(mid).look(reference)).toBeNull();
    }
  });

  it('show what an alert can meet: two alike, refunded, charged back, not settled', async () => {
    expect(await ofDay(3900n)).toHaveLength(2);
    expect(await one(7500n)).toMatchObject({ refunded: 7500n });
    expect(await one(8000n)).toMatchObject({ refunded: 3000n });
    expect(await one(9000n)).toMatchObject({ isChargedBack: true });
    expect(await one(2500n)).toMatchObject({ isSettled: false });
    expect(await one(5900n, mastercard).catch(() => ofDay(5900n, mastercard))).toHaveLength(2);
  });

  it('are refunded once for a key, in parts up to the whole, and for their own merchant only', async () => {
    const { reference } = await one(4520n);
    const connected = connectSandbox(mid);
    const request = aRefund(reference, 2000n);
    const first = await connected.refund(request);
    expect(first).toMatchObject({ outcome: 'OK' });
    expect([await connected.refund(request), await connected.refundState(request)]).toEqual([first, first]);
    const both = await Promise.all([1, 2].map(() => connected.refund(aRefund(reference, 2520n))));
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['EXC', 'OK']);
    expect(await connected.look(reference)).toMatchObject({ refunded: 4520n });
    expect(await connectSandbox(mid + 1).look(reference)).toMatchObject({ refunded: 0n });
  });

  it.each([
    [1261n, 'PEND'],
    [1262n, 'UNKNOWN'],
    [1265n, 'EXC'],
    [1266n, 'UNKNOWN'],
  ] as const)('%s: the refund is %s', async (minor, outcome) => {
    const { reference } = await one(minor);
    const connected = connectSandbox(mid);
    const request = aRefund(reference, minor);
    expect(await connected.refund(request)).toMatchObject({ outcome });
    const begun = nowMilliseconds();
    setClock(() => begun + 6 * 60_000);
    const later = { PEND: 'OK', UNKNOWN: minor === 1262n ? 'OK' : 'NOT_FOUND', EXC: 'EXC' }[outcome];
    expect(await connected.refundState(request)).toMatchObject({ outcome: later });
  });

  it('that have not settled are given back whole or not at all', async () => {
    const { reference } = await one(2500n);
    const connected = connectSandbox(mid);
    expect(await connected.refund(aRefund(reference, 1000n))).toMatchObject({ outcome: 'EXC', reference: null });
    expect(await connected.refund(aRefund(reference, 2500n))).toMatchObject({ outcome: 'OK' });
  });

  it('refuse what is not there, another currency, and more than is left', async () => {
    const connected = connectSandbox(mid);
    const refusedWith = async (request: Parameters<typeof connected.refund>[0]) =>
      (await connected.refund(request)).outcome;
    const { reference } = await one(1999n);
    expect(await refusedWith(aRefund('sbc_20260502_99', 1n))).toBe('EXC');
    expect(await refusedWith(aRefund(reference, 2000n))).toBe('EXC');
    expect(await refusedWith(aRefund(reference, 100n, { money: { minor: 100n, currency: 'EUR' } }))).toBe('EXC');
  });

  it('can belong to a subscription, which is cancelled only once', async () => {
    const connected = connectSandbox(mid);
    const charge = await one(990n, mastercard);
    expect(charge.subscription).not.toBeNull();
    for (const key of ['a', 'b']) {
      expect(await connected.cancelSubscription?.(charge.reference, key)).toMatchObject({ outcome: 'OK' });
    }
    expect(await connected.look(charge.reference)).toMatchObject({ subscription: null });
    const plain = await one(1999n);
    expect(await connected.cancelSubscription?.(plain.reference, 'c')).toMatchObject({
      code: 'not_found_at_processor',
    });
  });

  it('need no keys', async () => expect(await connectSandbox(mid).check()).toEqual({ isWorking: true }));
});

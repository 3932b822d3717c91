import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { type Alert, withdraw } from '#disputes/alerts/alert.ts';
import { findRefundMaker } from '#disputes/alerts/answer/recorded-refund-store.ts';
import { recordedMaker, refundMakerOf } from '#disputes/alerts/answer/refunded-elsewhere.ts';
import { alertOf, providerAlertOf } from './samples.ts';

const refund = (minor: bigint, currency: string, isWhole = false) => ({
  ...{ made: [{ minor, currency, isWhole }], isByNetwork: false, isUnderWay: false },
});
const disputed = { update: null, providerAlert: providerAlertOf({ amount: '50.00', currency: 'EUR' }) };

it('accepts a part as proof of a refund only where it covers what is disputed in its currency', () => {
  expect(recordedMaker(disputed, refund(5000n, 'EUR'))).toBe('forewarn');
  expect(recordedMaker(disputed, refund(4999n, 'EUR'))).toBeNull();
  expect(recordedMaker(disputed, refund(100n, 'USD'))).toBeNull();
  expect(recordedMaker(disputed, refund(10_000n, 'USD', true))).toBe('forewarn');
  expect(recordedMaker(disputed, refund(0n, 'USD', true))).toBeNull();
});

it('adds up the refunds of one currency only', () => {
  const [euros, dollars] = [refund(3000n, 'EUR'), refund(3000n, 'USD')];
  expect(recordedMaker(disputed, { ...euros, made: [...euros.made, ...euros.made] })).toBe('forewarn');
  expect(recordedMaker(disputed, { ...euros, made: [...euros.made, ...dollars.made] })).toBeNull();
});

it('names the network if it has refunded the payment, whatever was refunded here', () => {
  expect(recordedMaker(disputed, { ...refund(5000n, 'EUR'), isByNetwork: true })).toBe('network');
});

it('names the network as who refunded until it takes its refund back', () => {
  const decided = alertOf({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
  expect(refundMakerOf(decided)).toBe('network');
  expect(refundMakerOf(withdraw(decided, '2026-05-03T00:00:00.000Z'))).toBeNull();
});

it('names who made the refund as the answer of the alert does', () => {
  const update = { status: 'RESOLVED', reason_code: '100.001' } as const;
  expect(refundMakerOf({ ...alertOf(), update: { ...update, refunded_by: 'forewarn' } })).toBe('forewarn');
  expect(refundMakerOf({ ...alertOf(), update })).toBeNull();
});

describe('the maker of a refund that an answer states', () => {
  const answered = (update: Partial<Alert['update']> = {}): Alert => ({
    ...alertOf({ amount: '50.00', currency: 'EUR' }),
    update: { status: 'RESOLVED', reason_code: '100.001', ...update },
  });
  const rowsWith = (refund?: object) => [refund && { ...keys.refund(1), entity: 'REFUND', refund }, undefined] as const;
  const done = { state: 'done', amount: '50.00', currency: 'EUR' };
  const elsewhere = { refunded_elsewhere: { date: '2026-05-01T00:00:00.000Z' } };
  const claim = (refund?: object, needsProof = true, named: readonly Alert[] = []) => ({
    ...{ rows: rowsWith(refund), named, needsProof },
  });

  it('is Forewarn if its refund at a connection is done', async () => {
    expect(await findRefundMaker(answered(), claim(done))).toBe('forewarn');
    await expect(findRefundMaker(answered(elsewhere), claim(done))).rejects.toThrow('Forewarn made the refund');
  });

  it.each([
    ['is pending', { ...done, state: 'pending' }, 'a refund for this alert is under way'],
    ['has failed', { ...done, state: 'failed' }, 'no such refund is recorded'],
    ['has no amount that can be read', { ...done, amount: 'all' }, 'no such refund is recorded'],
    ['was not begun', undefined, 'no such refund is recorded'],
  ])('is not proved by a refund that %s', async (_, refund, words) => {
    await expect(findRefundMaker(answered(), claim(refund))).rejects.toThrow(words);
    expect(await findRefundMaker(answered(), claim(refund, false))).toBe('merchant');
    expect(await findRefundMaker(answered(elsewhere), claim(refund))).toBe('merchant');
  });

  it('is that of the alert which the answer names as repeated, and of no other', async () => {
    const repeated = { reason_code: '940.001' };
    const byNetwork = alertOf({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
    expect(await findRefundMaker(answered(repeated), claim(undefined, true, [alertOf(), byNetwork]))).toBe('network');
    await expect(
      findRefundMaker(answered({ ...repeated, ...elsewhere }), claim(undefined, true, [byNetwork])),
    ).rejects.toThrow('the network made the refund');
    expect(await findRefundMaker(answered(), claim(undefined, false, [byNetwork]))).toBe('merchant');
    const byMerchant = answered({ refunded_by: 'merchant' });
    const same = answered({ ...repeated, ...elsewhere });
    expect(await findRefundMaker(same, claim(undefined, true, [byMerchant]))).toBe('merchant');
  });
});

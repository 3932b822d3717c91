import { expect, it } from 'vitest';
import { withdraw } from '#disputes/alerts/alert.ts';
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

it('names the network as who refunded until it takes its refund back', () => {
  const decided = alertOf({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
  expect(refundMakerOf(decided)).toBe('network');
  expect(refundMakerOf(withdraw(decided, '2026-05-03T00:00:00.000Z'))).toBeNull();
});

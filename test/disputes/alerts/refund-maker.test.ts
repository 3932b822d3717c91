import { expect, it } from 'vitest';
import { withdraw } from '#disputes/alerts/alert.ts';
import { recordedMaker, refundMakerOf } from '#disputes/alerts/answer/refunded-elsewhere.ts';
import { anAlert, aProviderAlert } from './samples.ts';

const refund = (minor: bigint, currency: string, isWhole = false) => ({
  ...{ made: [{ minor, currency, isWhole }], isByNetwork: false, isUnderWay: false },
});
const disputed = { update: null, providerAlert: aProviderAlert({ amount: '50.00', currency: 'EUR' }) };

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
  const decided = anAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
  expect(refundMakerOf(decided)).toBe('network');
  expect(refundMakerOf(withdraw(decided, '2026-05-03T00:00:00.000Z'))).toBeNull();
});

it('names who made the refund as the answer of the alert does', () => {
  const update = { status: 'RESOLVED', reason_code: '100.001' } as const;
  expect(refundMakerOf({ ...anAlert(), update: { ...update, refunded_by: 'forewarn' } })).toBe('forewarn');
  expect(refundMakerOf({ ...anAlert(), update })).toBeNull();
});

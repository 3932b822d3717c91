import { describe, expect, it } from 'vitest';
import {
  brokenRules,
  chargedBackSince,
  emptyLedger,
  findCapture,
  isIdle,
  isReturned,
  isUnsettled,
  type Ledger,
  type Reservation,
  refundedInOriginal,
  reservationRefusalOf,
  wholeSum,
} from '#payments/transactions/ledger/ledger.ts';

const aLedger = (change: Partial<Ledger> = {}): Ledger => ({ ...emptyLedger(1, 12, 'USD'), ...change });
const held = (amount: bigint) => ({ open: true, held: amount, refundTxid: null });
const refunding = (minor: bigint) => ({ kind: 'REFUND' as const, minor, alertId: null });
const capturing = (minor: bigint) => ({ kind: 'CAPTURE' as const, minor, alertId: null });
const voiding = (minor: bigint) => ({ kind: 'VOID' as const, minor, alertId: null });
const paid = { authorized: 100n, captured: 100n };

describe('the rules of a ledger', () => {
  const withinCaptured = 'refunds stay within what was captured';
  it.each<[string, Partial<Ledger>, string[]]>([
    ['more is refunded than was captured', { ...paid, refunded: 101n }, [withinCaptured]],
    ['more is being refunded than was captured', { ...paid, inFlight: { 2: refunding(101n) } }, [withinCaptured]],
    ['more is held than was captured', { ...paid, disputes: { 5: { ...held(101n), open: false } } }, [withinCaptured]],
    [
      'more was refunded elsewhere than was captured',
      { ...paid, disputes: { 5: { ...held(0n), open: false, elsewhere: 101n } } },
      [withinCaptured],
    ],
    [
      'parts come to more than was captured',
      { ...paid, refunded: 60n, inFlight: { 2: refunding(41n) } },
      [withinCaptured],
    ],
    ['it is captured and voided', { ...paid, voided: 100n }, ['captured or voided, not both']],
    ['less is captured than was authorised', { authorized: 100n, captured: 99n }, ['captured what was authorised']],
    ['less is voided than was authorised', { authorized: 100n, voided: 99n }, ['voided what was authorised']],
    ['an amount is negative', { paidOut: -1n }, ['nothing is negative']],
    [
      'something is free while an alert waits',
      { ...paid, disputes: { 5: held(99n) } },
      ['an open dispute leaves nothing free'],
    ],
    [
      'it is captured and voided at the same time',
      { authorized: 100n, inFlight: { 2: capturing(100n), 3: voiding(100n) } },
      ['one capture or void at a time'],
    ],
  ])('are broken where %s', (_, change, names) => expect(brokenRules(aLedger(change))).toEqual(names));

  it.each<[string, Partial<Ledger>]>([
    ['is empty', {}],
    ['is refunded in full', { ...paid, refunded: 100n }],
    ['is held in full', { ...paid, disputes: { 5: held(100n) } }],
    ['is free while no alert waits', { ...paid, disputes: { 5: { ...held(0n), open: false } } }],
    ['is voided in full', { authorized: 100n, voided: 100n }],
    ['is being captured', { authorized: 100n, inFlight: { 2: capturing(100n) } }],
    ['is refunded twice at the same time', { ...paid, inFlight: { 2: refunding(10n), 3: refunding(10n) } }],
  ])('hold for a payment that %s', (_, change) => expect(brokenRules(aLedger(change))).toEqual([]));
});

describe('a payment', () => {
  it('counts as what was captured, or else as what was authorised', () => {
    expect(wholeSum(aLedger(paid))).toBe(100n);
    expect(wholeSum(aLedger({ authorized: 100n }))).toBe(100n);
    expect(wholeSum(aLedger({ authorized: 100n, captured: 60n }))).toBe(60n);
  });

  it('is returned once all of it was refunded or voided', () => {
    expect(isReturned(aLedger({ ...paid, refunded: 99n }))).toBe(false);
    expect(isReturned(aLedger({ ...paid, refunded: 100n }))).toBe(true);
    expect(isReturned(aLedger({ authorized: 100n, voided: 100n }))).toBe(true);
    expect(isReturned(aLedger({ authorized: 100n }))).toBe(false);
    expect(isReturned(aLedger())).toBe(false);
  });

  it('is only authorised until it is captured, voided, or about to be', () => {
    const authorized = aLedger({ authorized: 100n });
    const busy = { ...authorized, inFlight: { 2: capturing(100n) } };
    const leaving = { ...authorized, inFlight: { 2: voiding(100n) } };
    const all = [authorized, busy, leaving, aLedger(paid), aLedger({ authorized: 100n, voided: 100n }), aLedger()];
    expect(all.map(isIdle)).toEqual([true, false, false, false, false, false]);
    expect(all.map(isUnsettled)).toEqual([true, false, true, false, true, false]);
  });

  it('has the capture of its amount, done or in progress', () => {
    const captured = aLedger({ ...paid, captureTxid: 7 });
    expect(findCapture(captured, 100n)).toBe(7);
    expect(findCapture(captured, 99n)).toBeUndefined();
    const busy = aLedger({ authorized: 100n, inFlight: { 8: voiding(100n), 9: capturing(100n) } });
    expect(findCapture(busy, 100n)).toBe(9);
    expect(findCapture(busy, 99n)).toBeUndefined();
    expect(findCapture(aLedger(paid), 100n)).toBeUndefined();
  });

  it('is charged back since the first of its chargebacks whose time is known', () => {
    const one = { minor: 1n, taken: true };
    const chargebacks = {
      a: one,
      b: { ...one, openedAt: '2026-05-03T00:00:00.000Z' },
      c: { ...one, openedAt: '2026-05-02T00:00:00.000Z' },
    };
    expect(chargedBackSince(aLedger({ chargebacks }))).toBe('2026-05-02T00:00:00.000Z');
    expect(chargedBackSince(aLedger({ chargebacks: { a: one } }))).toBeUndefined();
    expect(chargedBackSince(aLedger())).toBeUndefined();
  });
});

describe('the refusal of a reservation', () => {
  const wanted = (kind: Reservation['kind'], minor: bigint, alertId: number | null = null): Reservation => ({
    ...{ txid: 9, kind, minor, alertId },
  });
  const again = (minor: bigint, alertId: number | null = null): Reservation => ({
    ...wanted('REFUND', minor, alertId),
    again: true,
  });
  const refunded = { open: false, held: 0n, refundTxid: 4 };
  const elsewhere = { 5: { ...refunded, refundTxid: null, elsewhere: 40n } };
  const authorized = { authorized: 100n };

  it.each<[string, Partial<Ledger>, Reservation, string | undefined]>([
    ['a refund of all', paid, wanted('REFUND', 100n), undefined],
    ['a refund of more', paid, wanted('REFUND', 101n), 'too_much'],
    ['a refund of nothing', paid, wanted('REFUND', 0n), 'too_much'],
    ['a refund of less than nothing', paid, wanted('REFUND', -1n), 'too_much'],
    ['a refund of what is voided', { ...authorized, voided: 100n }, wanted('REFUND', 100n), 'already_voided'],
    ['a refund of what is free', { ...paid, disputes: { 5: held(40n) } }, wanted('REFUND', 60n), undefined],
    ['a refund of what is held', { ...paid, disputes: { 5: held(40n) } }, wanted('REFUND', 61n), 'held_by_dispute'],
    [
      'a refund of all that is held',
      { ...paid, disputes: { 5: held(40n) } },
      wanted('REFUND', 100n),
      'held_by_dispute',
    ],
    ['a refund of more than is held', { ...paid, disputes: { 5: held(40n) } }, wanted('REFUND', 101n), 'too_much'],
    ['a refund by its own alert', { ...paid, disputes: { 5: held(40n) } }, wanted('REFUND', 100n, 5), undefined],
    ['a refund of what was given back', { ...paid, disputes: elsewhere }, wanted('REFUND', 60n), undefined],
    [
      'a refund of a part that was given back',
      { ...paid, disputes: elsewhere },
      wanted('REFUND', 61n),
      'already_refunded_for_dispute',
    ],
    [
      'a refund of all that was given back',
      { ...paid, disputes: elsewhere },
      wanted('REFUND', 100n),
      'already_refunded_for_dispute',
    ],
    ['a refund of more than was given back', { ...paid, disputes: elsewhere }, wanted('REFUND', 101n), 'too_much'],
    ['a second refund of all', { ...paid, disputes: elsewhere }, again(100n), undefined],
    ['a second refund of more', { ...paid, disputes: elsewhere }, again(101n), 'too_much'],
    [
      'a refund for the alert that was answered so',
      { ...paid, disputes: elsewhere },
      wanted('REFUND', 1n, 5),
      'already_refunded_for_dispute',
    ],
    ['a second refund for that alert', { ...paid, disputes: elsewhere }, again(100n, 5), undefined],
    [
      'another refund for an alert',
      { ...paid, disputes: { 5: refunded } },
      again(1n, 5),
      'already_refunded_for_dispute',
    ],
    [
      'a refund for an alert that the network has refunded',
      { ...paid, disputes: { 5: { ...held(100n), byNetwork: true } } },
      again(1n, 5),
      'already_refunded_for_dispute',
    ],
    ['a capture of all', authorized, wanted('CAPTURE', 100n), undefined],
    ['a capture of a part', authorized, wanted('CAPTURE', 99n), 'not_whole'],
    ['a capture of what is captured', paid, wanted('CAPTURE', 100n), 'already_captured'],
    ['a void of what is voided', { ...authorized, voided: 100n }, wanted('VOID', 100n), 'already_voided'],
    ['a void of nothing', {}, wanted('VOID', 0n), 'nothing_authorized'],
    ['a void while it is captured', { ...authorized, inFlight: { 2: capturing(100n) } }, wanted('VOID', 100n), 'busy'],
    [
      'a capture while it is voided',
      { ...authorized, inFlight: { 2: voiding(100n) } },
      wanted('CAPTURE', 100n),
      'busy',
    ],
  ])('is right for %s', (_, change, reservation, refusal) =>
    expect(reservationRefusalOf(aLedger(change), reservation)).toBe(refusal),
  );
});

it('adds what is refunded and being refunded in the currency that the payer saw', () => {
  const one = refunding(10n);
  expect(refundedInOriginal(aLedger({ inFlight: { 2: { ...one, original: 8n }, 3: one } }))).toBe(8n);
  expect(refundedInOriginal(aLedger({ refundedOriginal: 5n, inFlight: { 2: { ...one, original: 8n } } }))).toBe(13n);
});

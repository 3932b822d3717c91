import { describe, expect, it } from 'vitest';
import { type Dispute, emptyLedger, type Ledger, type Reservation } from '#payments/transactions/ledger/ledger.ts';
import {
  begin,
  bookElsewhere,
  forgetDispute,
  holdForDispute,
  releaseDispute,
  reserveInLedger,
  reverse,
  settleReservation,
  withChargeback,
} from '#payments/transactions/ledger/ledger-changes.ts';

const aLedger = (change: Partial<Ledger> = {}): Ledger => ({
  ...emptyLedger(1, 12, 'USD'),
  ...{ authorized: 1000n, captured: 1000n },
  ...change,
});
const open = (held: bigint, change: Partial<Dispute> = {}): Dispute => ({
  open: true,
  held,
  refundTxid: null,
  ...change,
});
const closed = (change: Partial<Dispute> = {}): Dispute => ({ open: false, held: 0n, refundTxid: null, ...change });
const aRefund = (minor: bigint, alertId: number | null = null, txid = 2): Reservation => ({
  ...{ txid, kind: 'REFUND', minor, alertId },
});
const again = (minor: bigint, alertId: number | null = null, txid = 2): Reservation => ({
  ...aRefund(minor, alertId, txid),
  again: true,
});
const fail = (ledger: Ledger, txid = 2): Ledger => settleReservation(ledger, { txid, succeeded: false });
const succeed = (ledger: Ledger, txid = 2): Ledger => settleReservation(ledger, { txid, succeeded: true });

describe('a reservation', () => {
  it('of a refund for an alert uses what the alert holds first', () => {
    const ledger = aLedger({ disputes: { 11: open(1000n) } });
    const inFlight = (minor: bigint) => ({ 2: { kind: 'REFUND', minor, alertId: 11 } });
    expect(reserveInLedger(ledger, aRefund(400n, 11))).toEqual(
      aLedger({ inFlight: inFlight(400n), disputes: { 11: open(600n, { refundTxid: 2 }) } } as Partial<Ledger>),
    );
    expect(reserveInLedger(ledger, aRefund(1000n, 11)).disputes).toEqual({ 11: open(0n, { refundTxid: 2 }) });
    const part = aLedger({ disputes: { 11: open(300n) } });
    expect(reserveInLedger(part, aRefund(1000n, 11)).disputes).toEqual({ 11: open(0n, { refundTxid: 2 }) });
  });

  it('of a refund for an alert that never held the payment notes the refund', () =>
    expect(reserveInLedger(aLedger(), aRefund(400n, 11)).disputes).toEqual({ 11: closed({ refundTxid: 2 }) }));

  it('of a capture changes no alert, and one of a void notes it', () => {
    const ledger = aLedger({ captured: 0n, disputes: { 11: open(0n) } });
    const wanted = (kind: 'CAPTURE' | 'VOID') => ({ txid: 2, kind, minor: 1000n, alertId: 11 });
    expect(reserveInLedger(ledger, wanted('CAPTURE')).disputes).toEqual({ 11: open(0n) });
    expect(reserveInLedger(ledger, wanted('VOID')).disputes).toEqual({ 11: open(0n, { refundTxid: 2 }) });
  });

  it('of a refund that fails is given back to its alert while that is open', () => {
    const ledger = aLedger({ disputes: { 11: open(1000n) } });
    const refunding = reserveInLedger(ledger, aRefund(400n, 11));
    expect(fail(refunding)).toEqual(ledger);
    expect(fail(releaseDispute(refunding, 11))).toEqual(aLedger({ disputes: { 11: closed() } }));
    expect(fail(reserveInLedger(aLedger(), aRefund(400n)))).toEqual(aLedger());
  });

  it('of a refund that fails is given back to its own alert, although another one waits', () => {
    const ledger = aLedger({ disputes: { 11: open(0n), 12: open(1000n) } });
    expect(fail(reserveInLedger(ledger, aRefund(400n, 12)))).toEqual(ledger);
  });

  it('of a void that fails lets its alert try again', () => {
    const ledger = aLedger({ captured: 0n, disputes: { 11: open(0n) } });
    const voiding = reserveInLedger(ledger, { txid: 2, kind: 'VOID', minor: 1000n, alertId: 11 });
    expect(fail(voiding)).toEqual(ledger);
  });

  it('that is settled again, or was never made, changes nothing', () => {
    const ledger = aLedger();
    expect(succeed(ledger)).toBe(ledger);
  });

  it('is booked as what it was once it succeeds', () => {
    const begun = begin(emptyLedger(1, 12, 'USD'), 1, 'AUTH', 1000n);
    expect(begun.inFlight).toEqual({ 1: { kind: 'AUTH', minor: 1000n, alertId: null } });
    expect(settleReservation(begun, { txid: 1, succeeded: true, captures: true })).toEqual(aLedger());
    const authorized = succeed(begun, 1);
    expect(authorized).toEqual(aLedger({ captured: 0n }));
    const finish = (kind: 'CAPTURE' | 'VOID') =>
      succeed(reserveInLedger(authorized, { txid: 2, kind, minor: 1000n, alertId: null }));
    expect(finish('CAPTURE')).toEqual(aLedger({ captureTxid: 2 }));
    expect(finish('VOID')).toEqual(aLedger({ captured: 0n, voided: 1000n }));
    expect(succeed(reserveInLedger(aLedger({ refunded: 100n }), aRefund(400n)))).toEqual(aLedger({ refunded: 500n }));
    const converted = succeed(reserveInLedger(aLedger(), { ...aRefund(400n), original: 300n }));
    expect(converted).toEqual(aLedger({ refunded: 400n, refundedOriginal: 300n }));
    expect(succeed(reserveInLedger(converted, { ...aRefund(40n, null, 3), original: 30n }), 3)).toEqual(
      aLedger({ refunded: 440n, refundedOriginal: 330n }),
    );
    expect(succeed(begin(emptyLedger(1, 12, 'USD'), 1, 'PAYOUT', 70n), 1)).toEqual({
      ...emptyLedger(1, 12, 'USD'),
      paidOut: 70n,
    });
  });
});

describe('a refund of what was given back elsewhere', () => {
  const ledger = aLedger({ disputes: { 11: closed({ elsewhere: 300n }), 12: closed({ elsewhere: 500n }) } });
  it('takes back only what it lacks, from the first alert on', () => {
    expect(reserveInLedger(ledger, again(200n))).not.toHaveProperty('takenBack');
    expect(reserveInLedger(ledger, again(300n))).toMatchObject({
      disputes: { 11: closed({ elsewhere: 200n }), 12: closed({ elsewhere: 500n }) },
      takenBack: { 2: { 11: 100n } },
    });
    const exact = reserveInLedger(ledger, again(500n));
    expect(exact.disputes).toEqual({ 11: closed(), 12: closed({ elsewhere: 500n }) });
    expect(exact.takenBack).toEqual({ 2: { 11: 300n } });
    const both = reserveInLedger(ledger, again(600n));
    expect(both.disputes).toEqual({ 11: closed(), 12: closed({ elsewhere: 400n }) });
    expect(both.takenBack).toEqual({ 2: { 11: 300n, 12: 100n } });
  });

  it('keeps what is left of it with its own alert', () =>
    expect(reserveInLedger(ledger, again(300n, 11)).disputes).toEqual({
      11: closed({ elsewhere: 200n, refundTxid: 2 }),
      12: closed({ elsewhere: 500n }),
    }));

  it('gives it back when it fails, apart from what other refunds have taken back', () => {
    const two = reserveInLedger(reserveInLedger(ledger, again(600n)), again(100n, null, 3));
    expect(two.takenBack).toEqual({ 2: { 11: 300n, 12: 100n }, 3: { 12: 100n } });
    const after = fail(two);
    expect(after.disputes).toEqual({ 11: closed({ elsewhere: 300n }), 12: closed({ elsewhere: 400n }) });
    expect(after.takenBack).toEqual({ 3: { 12: 100n } });
    expect(fail(after, 3)).toEqual(ledger);
  });

  it('leaves an open alert what it holds when a refund for it fails that took more back', () => {
    const held = aLedger({ disputes: { 11: open(700n), 12: closed({ elsewhere: 300n }) } });
    expect(fail(reserveInLedger(held, again(900n, 11)))).toEqual(held);
  });
});

describe('a reversal', () => {
  it('of a refund makes it refundable again, in both currencies', () => {
    const done = aLedger({ refunded: 500n, refundedOriginal: 400n });
    const reversal = { txid: 2, kind: 'REFUND', minor: 200n, alertId: null } as const;
    expect(reverse(done, { ...reversal, original: 150n })).toEqual(aLedger({ refunded: 300n, refundedOriginal: 250n }));
    expect(reverse(aLedger({ refunded: 500n }), reversal)).toEqual(aLedger({ refunded: 300n }));
  });

  it('of a capture leaves the authorisation, and one of a payment leaves nothing', () => {
    const ledger = aLedger({ captureTxid: 2, disputes: { 11: open(1000n) } });
    const reversal = { txid: 2, kind: 'CAPTURE', minor: 1000n, alertId: null } as const;
    expect(reverse(ledger, reversal)).toEqual(aLedger({ captured: 0n, disputes: { 11: open(0n) } }));
    expect(reverse(ledger, { ...reversal, kind: 'AUTH' })).toEqual(
      aLedger({ authorized: 0n, captured: 0n, disputes: { 11: open(0n) } }),
    );
  });

  it('of a capture has to wait for the refunds of it', () => {
    const reversal = { txid: 1, kind: 'AUTH', minor: 1000n, alertId: null } as const;
    expect(reverse(aLedger({ refunded: 1n }), reversal)).toBeUndefined();
    expect(reverse(reserveInLedger(aLedger(), aRefund(1n)), reversal)).toBeUndefined();
  });
});

describe('a dispute alert', () => {
  it('holds what is free once, and again after it was released', () => {
    const held = holdForDispute(aLedger({ refunded: 100n }), 11);
    expect(held.disputes).toEqual({ 11: open(900n) });
    expect(holdForDispute(held, 11)).toBe(held);
    expect(holdForDispute(releaseDispute(held, 11), 11)).toEqual(held);
    expect(holdForDispute(held, 12).disputes[12]).toEqual(open(0n));
  });

  it('holds nothing again once it was refunded, here or by its network', () => {
    const refunded = aLedger({ disputes: { 11: closed({ refundTxid: 2 }), 12: closed({ byNetwork: true }) } });
    expect(holdForDispute(refunded, 11)).toBe(refunded);
    expect(holdForDispute(refunded, 12)).toBe(refunded);
    expect(holdForDispute(aLedger(), 13, true).disputes).toEqual({ 13: open(1000n, { byNetwork: true }) });
  });

  it('releases what it holds to the first alert that waits', () => {
    const ledger = aLedger({
      disputes: { 11: open(1000n), 12: open(0n, { refundTxid: 3 }), 13: open(0n), 14: open(0n) },
    });
    const released = releaseDispute(ledger, 11);
    expect(released.disputes).toEqual({ ...ledger.disputes, 11: closed(), 13: open(1000n) });
    expect(releaseDispute(released, 11)).toBe(released);
    expect(releaseDispute(released, 99)).toBe(released);
  });

  it('that is about another payment is forgotten, and what it held goes to the next', () => {
    const ledger = aLedger({ disputes: { 11: open(1000n), 12: open(0n) } });
    expect(forgetDispute(ledger, 11).disputes).toEqual({ 12: open(1000n) });
    expect(forgetDispute(ledger, 99)).toBe(ledger);
  });

  it('that was answered as refunded elsewhere keeps how much, as far as it was refundable', () => {
    const held = aLedger({ refunded: 100n, disputes: { 11: open(900n) } });
    expect(bookElsewhere(held, 11, null).disputes).toEqual({ 11: closed({ elsewhere: 900n }) });
    expect(bookElsewhere(held, 11, 901n).disputes).toEqual({ 11: closed({ elsewhere: 900n }) });
    expect(bookElsewhere(held, 11, 300n).disputes).toEqual({ 11: closed({ elsewhere: 300n }) });
    expect(bookElsewhere(aLedger({ refunded: 1000n }), 11, null).disputes).toEqual({ 11: closed() });
  });

  it.each<[string, Partial<Dispute>]>([
    ['here', { refundTxid: 2 }],
    ['by its network', { byNetwork: true }],
    ['elsewhere', { elsewhere: 1n }],
  ])('that was refunded %s is only released by another answer as refunded', (_, known) => {
    const ledger = aLedger({ disputes: { 11: open(900n, known) } });
    expect(bookElsewhere(ledger, 11, null).disputes).toEqual({ 11: closed(known) });
  });
});

describe('a chargeback', () => {
  it('leaves nothing to an alert until it is won, and changes nothing when it is repeated', () => {
    const held = aLedger({ disputes: { 11: open(1000n) } });
    const part = { minor: 400n, taken: false };
    const raised = withChargeback(held, 'cb', part);
    expect(raised).toEqual(aLedger({ disputes: { 11: open(0n) }, chargebacks: { cb: part } }));
    expect(withChargeback(raised, 'cb', { ...part })).toBe(raised);
    expect(withChargeback(raised, 'cb', { ...part, taken: true }).chargebacks).toEqual({
      cb: { ...part, taken: true },
    });
    expect(withChargeback(raised, 'cb', { ...part, minor: 1n }).chargebacks).toEqual({ cb: { ...part, minor: 1n } });
    expect(withChargeback(raised, 'cb', null)).toEqual({ ...held, chargebacks: {} });
    expect(withChargeback(held, 'cb', null)).toBe(held);
  });
});

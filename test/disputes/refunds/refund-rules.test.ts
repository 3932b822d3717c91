import { describe, expect, it } from 'vitest';
import type { Automatic, Decision } from '#disputes/alerts/automatic/automatic.ts';
import { automaticAfter } from '#disputes/refunds/alert-after-refund.ts';
import { toChargeRefundDto } from '#disputes/refunds/charge-refund-flow.ts';
import {
  type AlertRefund,
  afterAnswer,
  failAfterDone,
  isLeased,
  newAlertRefund,
  refundReasonOf,
  refundRequestOf,
  refundWithLease,
} from '#disputes/refunds/refund.ts';
import { type ChargeRefunds, withReserved, withReturned, withSettled } from '#disputes/refunds/reservation.ts';

const charge = {
  payment_gateway_reference: 'ch_1',
  payment_gateway_reference2: '',
  payment_gateway_tx_type: 'charge',
  payment_gateway_transaction_date: '2026-05-01T08:00:00.000Z',
};
const at = '2026-05-02T10:00:00.000Z';
const wanted = {
  ...{ alertId: 7, sid: 3, mid: 2, connection: 'con_1', reference: 'ch_1', charge, amount: '19.99', currency: 'USD' },
  ...{ isSettled: true, reason: 'fraud' as const, answer: null, by: 'root' },
};
const begun = newAlertRefund(wanted, undefined, at);
const asked = refundWithLease(begun, 'attempt', at);

describe('the reason of a refund', () => {
  it.each([
    ['FRAUD', 'fraud'],
    ['CANCEL', 'cancel'],
    ['DISPUTE', 'dispute'],
  ] as const)('of a %s alert is %s', (type, reason) => {
    expect(refundReasonOf({ type })).toBe(reason);
  });
});

describe('a refund', () => {
  it('has the number and version after those of the one that failed before it', () => {
    expect(begun).toMatchObject({ number: 1, version: 1, state: 'reserved', tries: 0, checks: 0 });
    const again = newAlertRefund(wanted, { ...begun, number: 2, version: 5 }, at);
    expect(again).toMatchObject({ number: 3, version: 6 });
    expect(refundRequestOf(again)).toMatchObject({ key: 'fw-alert-7-3', begunAt: at, reason: 'fraud' });
  });

  it('is leased for 75 seconds, and checked when the lease ends', () => {
    expect(asked).toMatchObject({ state: 'asked', tries: 1, askedAt: at, version: 2 });
    expect(asked.lease?.until).toBe('2026-05-02T10:01:15.000Z');
    expect(asked.nextCheckAt).toBe(asked.lease?.until);
    expect(isLeased(asked, '2026-05-02T10:01:14.999Z')).toBe(true);
    expect(isLeased(asked, '2026-05-02T10:01:15.000Z')).toBe(false);
    expect(isLeased(begun, at)).toBe(false);
  });

  it('keeps the time of its first request when it is leased again', () => {
    const later = refundWithLease({ ...asked, state: 'unknown' }, 'other', '2026-05-02T11:00:00.000Z');
    expect(later).toMatchObject({ state: 'unknown', tries: 1, askedAt: at, version: 3 });
  });

  it('is done, and has what the processor calls it', () => {
    const done = afterAnswer(asked, { outcome: 'OK', reference: 're_1' }, at);
    expect(done).toMatchObject({ state: 'done', nextCheckAt: null, lease: null, error: null, version: 3 });
    expect(done.refund).toMatchObject({ payment_gateway_reference: 're_1', payment_gateway_tx_type: 'refund' });
    const voided = afterAnswer({ ...asked, isSettled: false }, { outcome: 'OK', reference: 'vo_1' }, at);
    expect(voided.refund).toMatchObject({ payment_gateway_reference: 'vo_1', payment_gateway_tx_type: 'void' });
  });

  it('stays as it is once it is final', () => {
    const done = afterAnswer(asked, { outcome: 'OK', reference: 're_1' }, at);
    expect(afterAnswer(done, { outcome: 'UNKNOWN', detail: 'late' }, at)).toBe(done);
    const late = failAfterDone(done, 'account_closed');
    expect(late).toMatchObject({ state: 'failed', error: 'account_closed', version: done.version + 1 });
    expect(afterAnswer(late, { outcome: 'OK', reference: 're_1' }, at)).toBe(late);
  });

  it('is checked again while its result is not known', () => {
    const pending = afterAnswer(asked, { outcome: 'PEND', reference: 're_1' }, at);
    expect(pending).toMatchObject({ state: 'asked', checks: 1, lease: null });
    expect(pending.refund?.payment_gateway_reference).toBe('re_1');
    expect(Date.parse(pending.nextCheckAt ?? '')).toBeGreaterThan(Date.parse(at));
    const unknown = afterAnswer(asked, { outcome: 'UNKNOWN', detail: 'no answer' }, at);
    expect(unknown).toMatchObject({ state: 'unknown', checks: 1, error: 'no answer' });
  });

  it('is requested again when it is not found five minutes after the request, three times at most', () => {
    const missAt = (time: string, refund: AlertRefund = asked) => afterAnswer(refund, { outcome: 'NOT_FOUND' }, time);
    expect(missAt('2026-05-02T10:04:59.999Z')).toMatchObject({
      state: 'unknown',
      nextCheckAt: '2026-05-02T10:05:00.000Z',
    });
    expect(missAt('2026-05-02T10:05:00.000Z')).toMatchObject({
      state: 'reserved',
      nextCheckAt: '2026-05-02T10:05:00.000Z',
    });
    expect(missAt('2026-05-02T10:05:00.000Z', { ...asked, tries: 2 }).state).toBe('reserved');
    expect(missAt('2026-05-02T10:05:00.000Z', { ...asked, tries: 3 })).toMatchObject({
      state: 'failed',
      nextCheckAt: null,
      error: 'not_found_at_processor',
    });
    // It was asked at noon, long after it was begun.
    const noon = { ...asked, askedAt: '2026-05-02T12:00:00.000Z' };
    expect(missAt('2026-05-02T12:04:00.000Z', noon).state).toBe('unknown');
    // The time of the request is not known.
    const unasked = { ...asked, askedAt: null };
    expect(missAt('2026-05-02T10:04:59.999Z', unasked).state).toBe('unknown');
    expect(missAt('2026-05-02T10:05:00.000Z', unasked).state).toBe('reserved');
  });

  it('with an amount that its currency does not have is not requested', () =>
    expect(() => refundRequestOf({ ...begun, amount: '19.999' })).toThrow(
      'The amount of the refund of alert 7 has more decimals than USD has (2)',
    ));

  it('is shown with the reason if it has failed, and without one while its result is not known', () => {
    const made = { ...charge, payment_gateway_reference: 're_1' };
    const shown = (change: Partial<AlertRefund>) => toChargeRefundDto({ ...asked, ...change });
    expect(shown({ state: 'done', refund: made })).toEqual({
      ...{ txid: null, parent_txid: null, reference: 'ch_1', refund_reference: 're_1', tx_action: 'REFUND' },
      ...{ status: 'OK', amount: '19.99', currency: 'USD', error_code: null, error_msg: null },
    });
    expect(shown({ state: 'unknown', error: 'no answer', isSettled: false })).toMatchObject({
      ...{ status: 'PEND', tx_action: 'VOID', refund_reference: null, error_code: null },
    });
    expect(shown({ state: 'failed', error: 'card_closed' })).toMatchObject({
      ...{ status: 'EXC', error_code: 'card_closed' },
    });
  });
});

describe('an alert after its refund', () => {
  const decision: Decision = {
    ...{ ruleId: 1, version: 1, name: 'Refund', sid: 3, mode: 'live', facts: {} as Decision['facts'] },
    ...{ action: { type: 'refund' } as Decision['action'], result: 'refund_pending', reason: null },
  };
  const automatic: Automatic = { decision, shadows: [], transaction: null, refund: null, potentialMatches: [charge] };
  const stateOf = (change: Partial<AlertRefund>) => ({ refund: { ...asked, ...change }, begun: null });
  const refund = { ...charge, payment_gateway_reference: 're_1' };
  const after = (change: Partial<AlertRefund>, before: Automatic | null = automatic, ...more: [string[]?, string?]) =>
    automaticAfter(stateOf(change), ...more)({ automatic: before, action: null, update: null } as never);

  it('is resolved by a refund of a rule that is done', () => {
    expect(after({ state: 'done', refund })).toEqual({
      automatic: {
        ...automatic,
        decision: { ...decision, result: 'refunded', reason: null },
        transaction: charge,
        refund,
        potentialMatches: null,
      },
      action: 'RESOLVED',
    });
  });

  it('is left to its merchant, with the reason, if the refund failed', () => {
    expect(after({ state: 'failed', refund, error: 'card_closed' })).toMatchObject({
      automatic: { decision: { result: 'left_to_merchant', reason: 'card_closed' }, refund: null },
      action: null,
    });
    expect(after({ state: 'failed', error: null }).automatic?.decision?.reason).toBe('refund_failed');
  });

  it('waits while the result is not known', () => {
    const { automatic: waiting, action } = after({ state: 'unknown', error: 'no answer' });
    expect(waiting?.decision).toEqual({ ...decision, result: 'refund_pending', reason: null });
    expect(action).toBeNull();
  });

  it('says what was done after the refund, and which answer was given', () => {
    expect(
      after({ state: 'done', refund }, automatic, ['payer blocked'], 'REFUNDED').automatic?.decision,
    ).toMatchObject({ afterwards: ['payer blocked'], answeredWith: 'REFUNDED' });
    expect(after({ state: 'done', refund }).automatic?.decision).not.toHaveProperty('afterwards');
  });

  it('keeps its decision and action if a person refunded it', () => {
    const noted = { ...decision, action: { type: 'notify' } as Decision['action'] };
    const own = after({ state: 'done', refund }, { ...automatic, decision: noted });
    expect(own).toMatchObject({ automatic: { decision: noted, refund }, action: null });
    expect(after({ state: 'done', refund }, null)).toMatchObject({ automatic: { decision: null, shadows: [] } });
  });
});

describe('the refunds of a charge', () => {
  const taken = { captured: 5000n, refunded: 0n };
  const reserved = (charged: ChargeRefunds | undefined, alertId: number, amount: string, totals = taken) =>
    withReserved(charged, { ...begun, alertId, amount }, totals);
  const first = reserved(undefined, 1, '20.00');

  it('take all that is left, and no more', () => {
    expect(reserved(first, 2, '30.00')?.refunds).toEqual({
      1: { minor: '2000', isDone: false },
      2: { minor: '3000', isDone: false },
    });
    expect(reserved(first, 2, '30.01')).toBeUndefined();
  });

  it('count what others had refunded before, once', () => {
    const before = reserved(undefined, 1, '20.00', { captured: 5000n, refunded: 1000n });
    expect(before).toMatchObject({ before: '1000', version: 1 });
    const done = withSettled(before, { alertId: 1, state: 'done' });
    expect(done).toMatchObject({ refunds: { 1: { minor: '2000', isDone: true } }, version: 2 });
    // The processor reports the refund, or does not yet.
    for (const refunded of [1000n, 3000n]) {
      expect(reserved(done, 2, '20.00', { captured: 5000n, refunded })).toBeDefined();
      expect(reserved(done, 2, '20.01', { captured: 5000n, refunded })).toBeUndefined();
    }
    expect(reserved(done, 2, '10.01', { captured: 5000n, refunded: 4000n })).toBeUndefined();
  });

  it('let go of a refund that failed, and of one that was returned', () => {
    expect(withSettled(first, { alertId: 1, state: 'failed' })).toMatchObject({ refunds: {}, version: 2 });
    const done = withSettled(first, { alertId: 1, state: 'done' });
    expect(withReturned(done, { alertId: 1 })).toMatchObject({ refunds: {}, version: 3 });
    expect(withReturned(done, { alertId: 2 })).toBeUndefined();
    expect(withReturned(undefined, { alertId: 1 })).toBeUndefined();
  });

  it('do not change for one that is not final, is done already, or is of another charge', () => {
    expect(withSettled(first, { alertId: 1, state: 'asked' })).toBeUndefined();
    expect(withSettled(first, { alertId: 2, state: 'done' })).toBeUndefined();
    expect(withSettled(undefined, { alertId: 1, state: 'done' })).toBeUndefined();
    const done = withSettled(first, { alertId: 1, state: 'done' });
    expect(withSettled(done, { alertId: 1, state: 'failed' })).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brokenRules,
  countFunds,
  emptyLedger,
  isChargedBack,
  type Ledger,
  refundable,
  reservationRefusalOf,
  sumChargedBack,
} from '#payments/transactions/ledger/ledger.ts';
import {
  begin,
  holdForDispute,
  releaseDispute,
  reserveInLedger,
  settleReservation,
  withChargeback,
} from '#payments/transactions/ledger/ledger-changes.ts';
import { fromLedgerItem, toLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';

/** The effects of chargebacks on a payment's ledger. */

const paid = (minor = 1000n): Ledger =>
  settleReservation(begin(emptyLedger(1, 7, 'USD'), 1, 'AUTH', minor), { txid: 1, succeeded: true, captures: true });
const wanted = (minor: bigint, alertId: number | null = null) => ({ txid: 2, kind: 'REFUND', minor, alertId }) as const;
const taken = (minor = 1000n) => ({ minor, taken: true });

describe('a chargeback', () => {
  it('takes the money off the funds, and prevents all refunds', () => {
    const ledger = withChargeback(holdForDispute(paid(), 5), 'cb', taken());
    expect(countFunds(ledger)).toEqual({ available: 0n, reserved: 0n });
    expect([isChargedBack(ledger), sumChargedBack(ledger), refundable(ledger, 5)]).toEqual([true, 1000n, 0n]);
    expect([reservationRefusalOf(ledger, wanted(1n)), reservationRefusalOf(ledger, wanted(1n, 5))]).toEqual([
      'charged_back',
      'charged_back',
    ]);
    expect(brokenRules(ledger)).toEqual([]);
  });

  it('that is only announced takes nothing yet, and shuts refunds as well', () => {
    const ledger = withChargeback(paid(), 'cb', { minor: 1000n, taken: false });
    expect(countFunds(ledger)).toEqual({ available: 1000n, reserved: 0n });
    expect(reservationRefusalOf(ledger, wanted(1n))).toBe('charged_back');
  });

  it('that is won gives it back, to the alert that still waits', () => {
    const held = holdForDispute(paid(), 5);
    const ledger = withChargeback(withChargeback(held, 'cb', taken()), 'cb', null);
    expect(countFunds(ledger)).toEqual(countFunds(held));
    expect(reservationRefusalOf(ledger, wanted(1000n, 5))).toBeUndefined();
    expect(reservationRefusalOf(ledger, wanted(1000n))).toBe('held_by_dispute');
  });

  it('comes on top of what was refunded: the money is lost twice', () => {
    const refunded = settleReservation(reserveInLedger(paid(), wanted(1000n)), { txid: 2, succeeded: true });
    expect(countFunds(withChargeback(refunded, 'cb', taken()))).toEqual({ available: -1000n, reserved: 0n });
  });

  it('is kept in the row, and is absent from those that never had one', () => {
    const ledger = withChargeback(paid(), 'cb', taken(400n));
    expect(fromLedgerItem(toLedgerItem(ledger))).toEqual(ledger);
    expect(fromLedgerItem(toLedgerItem(paid()))).toEqual(paid());
  });
});

it('told in any order, any number of times, leaves the books in order and the money once', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('chargeback' as const), id: fc.constantFrom('a', 'b'), taken: fc.boolean() }),
    fc.record({ what: fc.constant('won' as const), id: fc.constantFrom('a', 'b') }),
    fc.record({ what: fc.constant('hold' as const), alertId: fc.constantFrom(5, 6) }),
    fc.record({ what: fc.constant('release' as const), alertId: fc.constantFrom(5, 6) }),
    fc.record({ what: fc.constant('refund' as const), minor: fc.bigInt({ min: 1n, max: 1000n }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let ledger = paid();
      let txid = 1;
      for (const one of steps) {
        if (one.what === 'chargeback') {
          const part = { minor: 300n, taken: one.taken };
          ledger = withChargeback(ledger, one.id, part);
          expect(withChargeback(ledger, one.id, part)).toBe(ledger);
        } else if (one.what === 'won') ledger = withChargeback(ledger, one.id, null);
        else if (one.what === 'hold') ledger = holdForDispute(ledger, one.alertId);
        else if (one.what === 'release') ledger = releaseDispute(ledger, one.alertId);
        else if ('minor' in one) {
          txid += 1;
          const order = { ...wanted(one.minor), txid };
          const isShut = isChargedBack(ledger);
          const refusal = reservationRefusalOf(ledger, order);
          if (isShut) expect(refusal).toBe('charged_back');
          if (!refusal) ledger = settleReservation(reserveInLedger(ledger, order), { txid, succeeded: true });
        }
        expect(brokenRules(ledger)).toEqual([]);
        const { available, reserved } = countFunds(ledger);
        expect(available + reserved).toBe(1000n - ledger.refunded - sumChargedBack(ledger));
      }
    }),
    { numRuns: 500 },
  );
});

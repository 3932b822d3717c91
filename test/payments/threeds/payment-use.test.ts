import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedAuthentication } from '#payments/payments/three-ds.ts';
import type { Authentication } from '#payments/threeds/authentication/authentication.ts';
import { outcomes } from '#payments/threeds/authentication/authentication-result.ts';
import { isAuthenticationFailed, mismatchOf, resultForPayment } from '#payments/threeds/authentication/payment-use.ts';
import { at, authenticated, created, later, transId, visa } from './samples.ts';

const done = (change: Partial<Authentication> = {}): Authentication =>
  created({
    ...{ status: 'done', outcome: 'authenticated', doneAt: at, card: visa, result: authenticated, challengeInd: '03' },
    ...change,
  });

const paid = { money: { minor: 1050n, currency: 'EUR' }, cardTokens: ['newer-token', visa.token], at: later(60) };

describe('a payment fits its authentication', () => {
  it('where card, currency, amount and time do, by any key of the card’s digest', () => {
    expect(mismatchOf(done(), paid)).toBeUndefined();
    expect(mismatchOf(done(), { ...paid, money: { minor: 1n, currency: 'EUR' } })).toBeUndefined();
    expect(mismatchOf(done(), { ...paid, at: later(86_400) })).toBeUndefined();
  });

  it.each([
    ['one that is not done', { status: 'challenged', doneAt: null }, {}, 'authentication_id: is not done'],
    ['one that was used', { usedByTxid: 5 }, {}, 'authentication_id: another payment'],
    ['one of more than a day ago', {}, { at: later(86_401) }, 'authentication_id: was done more than 24'],
    ['another card', {}, { cardTokens: ['another'] }, 'card_no: '],
    ['another currency', {}, { money: { minor: 1050n, currency: 'USD' } }, 'currency: '],
    ['a larger amount', {}, { money: { minor: 1051n, currency: 'EUR' } }, 'item_amount_unit: '],
  ] as const)('and not with %s', (_, authentication, payment, words) => {
    expect(mismatchOf(done(authentication), { ...paid, ...payment })).toContain(words);
  });

  it('whatever the card where none was authenticated', () => {
    const skipped = done({ outcome: 'unavailable', reason: 'skipped', card: null });
    expect(mismatchOf(skipped, { ...paid, cardTokens: ['any'] })).toBeUndefined();
  });
});

describe('what an authentication is to a payment', () => {
  const kinds = outcomes.map((outcome) => {
    const authentication = done({ outcome });
    const told = resultForPayment(authentication, 'the value') !== null;
    return [outcome, isAuthenticationFailed(authentication) ? 'ends it' : told ? 'is told' : 'is not told'] as const;
  });

  it('follows from its outcome', () => {
    expect(Object.fromEntries(kinds)).toEqual({
      authenticated: 'is told',
      attempted: 'is told',
      informational: 'is told',
      not_authenticated: 'ends it',
      rejected: 'ends it',
      unavailable: 'is not told',
      canceled: 'ends it',
      timed_out: 'ends it',
    });
  });

  it('is sent with the values of its row', () => {
    expect(resultForPayment(done(), 'the value')).toEqual({
      source: 'verified',
      version: '2.2.0',
      eci: '05',
      cavv: 'the value',
      dsTransId: transId,
      transStatus: 'Y',
      aresTransStatus: 'C',
      challengeTransStatus: 'Y',
      transStatusReason: null,
      challengeCancel: null,
      exemption: null,
      challengeInd: '03',
    });
  });
});

describe('what a payment says of an authentication', () => {
  it.each([
    [{}, undefined],
    [{ eci: '05' }, undefined],
    [{ authentication_id: 17 }, 17],
    [{ authentication_id: '17' }, 17],
    [{ authentication_id: 0 }, null],
    [{ authentication_id: -1 }, null],
    [{ authentication_id: 1.5 }, null],
    [{ authentication_id: null }, null],
    [{ authentication_id: '017' }, null],
    [{ authentication_id: ' 17' }, null],
    [{ authentication_id: 1e300 }, null],
    [{ authentication_id: '99999999999999999999' }, null],
    [{ authentication_id: [17] }, null],
  ])('%j names %s', (record, id) => expect(namedAuthentication(record)).toBe(id));

  it('changes nothing of what is read, whatever other fields the number has', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        expect(namedAuthentication({ ...more, authentication_id: 17 })).toBe(17);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { schemes } from '#core/kernel/card/schemes.ts';
import {
  conclusionOfAres,
  conclusionOfRreq,
  goesOnWithout,
  hasValues,
  outcomes,
  transStatuses,
} from '#payments/threeds/authentication/authentication-result.ts';
import { isLiabilityShifted } from '#payments/threeds/authentication/liability-shift.ts';

describe('what an issuer answers at once', () => {
  it.each([
    ['Y', 'authenticated', null],
    ['A', 'attempted', null],
    ['I', 'informational', null],
    ['N', 'not_authenticated', null],
    ['R', 'rejected', null],
    ['U', 'unavailable', 'issuer'],
    ['D', 'unavailable', 'status_not_supported'],
    ['S', 'unavailable', 'status_not_supported'],
    ['', 'unavailable', 'status_not_supported'],
    ['constructor', 'unavailable', 'status_not_supported'],
  ])('%s: %s', (transStatus, outcome, reason) => {
    expect(conclusionOfAres({ transStatus })).toEqual({ outcome, reason });
  });

  it('is no end where it wants a challenge', () => expect(conclusionOfAres({ transStatus: 'C' })).toBeUndefined());
});

describe('what a challenge ends with', () => {
  type Case = [transStatus: string, challengeCancel: string | null, outcome: string, reason: string | null];
  it.each<Case>([
    ['Y', null, 'authenticated', null],
    ['A', null, 'attempted', null],
    ['N', null, 'not_authenticated', null],
    ['R', null, 'rejected', null],
    ['U', null, 'unavailable', 'issuer'],
    ['I', null, 'unavailable', 'status_not_supported'],
    ['C', null, 'unavailable', 'status_not_supported'],
    ['N', '01', 'canceled', 'payer'],
    ['U', '01', 'canceled', 'payer'],
    ...['03', '04', '05', '08'].flatMap((code): Case[] => [
      ['N', code, 'timed_out', 'timeout'],
      ['U', code, 'timed_out', 'timeout'],
    ]),
    ['U', '06', 'unavailable', 'issuer'],
    ['N', '07', 'not_authenticated', null],
    // A payer who was authenticated was, whatever was canceled at the same time.
    ['Y', '01', 'authenticated', null],
    ['R', '04', 'rejected', null],
  ])('%s with %s: %s', (transStatus, challengeCancel, outcome, reason) => {
    expect(conclusionOfRreq({ transStatus, challengeCancel })).toEqual({ outcome, reason });
  });
});

it('a payment goes on with values, without them, or not at all', () => {
  expect(outcomes.filter(hasValues)).toEqual(['authenticated', 'attempted', 'informational']);
  expect(outcomes.filter(goesOnWithout)).toEqual(['unavailable']);
});

describe('the liability for fraud', () => {
  const shifts = { VISA: ['Y 05', 'A 06'], MASTERCARD: ['Y 02', 'Y 07', 'A 01'] };
  const ecis = ['00', '01', '02', '04', '05', '06', '07', null];

  it.each(schemes)('of %s: by status and indicator', (scheme) => {
    const usual = { scheme, isExempt: false, mcc: '5732', countryNumber: '840', messageCategory: '01' };
    const found = [...transStatuses, null].flatMap((transStatus) =>
      ecis.flatMap((eci) => (isLiabilityShifted({ ...usual, transStatus, eci }) ? [`${transStatus} ${eci}`] : [])),
    );
    expect(found).toEqual(scheme === 'MASTERCARD' ? shifts.MASTERCARD : shifts.VISA);
  });

  const visa = {
    scheme: 'VISA',
    transStatus: 'Y',
    eci: '05',
    isExempt: false,
    mcc: '5732',
    countryNumber: '840',
    messageCategory: '01',
  } as const;
  it.each(['4829', '5967', '6051', '6540', '7801', '7802', '7995'])(
    "stays with Visa's merchants of code %s in the United States",
    (mcc) => {
      expect(isLiabilityShifted({ ...visa, mcc })).toBe(false);
      expect(isLiabilityShifted({ ...visa, mcc, countryNumber: '' })).toBe(false);
      expect(isLiabilityShifted({ ...visa, mcc, countryNumber: '276' })).toBe(true);
      expect(isLiabilityShifted({ ...visa, mcc, scheme: 'MASTERCARD', eci: '02' })).toBe(true);
      expect(isLiabilityShifted({ ...visa, mcc, scheme: 'AMEX' })).toBe(true);
    },
  );

  it('does not shift if an exemption was granted or no payment was authenticated', () => {
    expect(isLiabilityShifted(visa)).toBe(true);
    expect(isLiabilityShifted({ ...visa, isExempt: true })).toBe(false);
    expect(isLiabilityShifted({ ...visa, messageCategory: '02' })).toBe(false);
    expect(isLiabilityShifted({ ...visa, messageCategory: '80' })).toBe(false);
  });
});

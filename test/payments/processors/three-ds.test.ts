import { describe, expect, it } from 'vitest';
import { hasProof, isAuthenticated, readMerchantResult } from '#payments/payments/three-ds.ts';
import { threeDsResult } from './contract.ts';

const whole = { version: '2.2.0', cavv: 'AAABBBCCCDDD', dsTransID: 'd-1', transStatus: 'Y', eci: '05' };
const read = (sent: Record<string, unknown>) => {
  const result = readMerchantResult(sent);
  return Array.isArray(result) ? result.join('; ') : result;
};

describe('what a merchant sends of an authentication', () => {
  it.each(['version', 'cavv', 'dsTransID'])('is refused without %s, which is named', (name) => {
    for (const value of [undefined, null, '', ' ']) {
      expect(read({ ...whole, [name]: value }), String(value)).toMatch(new RegExp(`^threeDSecure\\.${name}: `));
    }
    expect(read({ ...whole, [name]: ['x'] })).toMatch(new RegExp(`^threeDSecure\\.${name}: must be`));
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{}, /version: is required; .*cavv: is required; .*dsTransID: is required; .*transStatus: is required/],
    [{ three_ds: whole }, /version: is required/],
    [{ ...whole, version: undefined, verison: '2.2.0' }, /^threeDSecure.version: is required$/],
    [{ ...whole, version: 2 }, /^threeDSecure.version: must be 2.1.0, 2.2.0/],
    [{ ...whole, version: '1.0.2' }, /^threeDSecure.version: must be/],
    [{ ...whole, transStatus: undefined, eci: undefined }, /^threeDSecure.transStatus: is required$/],
    [{ ...whole, transStatus: 'X' }, /^threeDSecure.transStatus: must be a status/],
    [{ ...whole, trans_status: 'yes', transStatus: undefined }, /^threeDSecure.trans_status: must be a status/],
    [{ ...whole, aresTransStatus: 'N' }, /^threeDSecure.transStatus: contradicts the status of the ARes, N$/],
    [{ ...whole, transStatus: 'A', directoryResponse: 'Y' }, /^threeDSecure.transStatus: contradicts .* Y$/],
    [{ ...whole, eci: '50' }, /^threeDSecure.eci: must be 00/],
    [{ ...whole, eci: true }, /^threeDSecure.eci: must be 00/],
    [{ ...whole, requestor_challenge_indicator: 'all' }, /^threeDSecure.requestor_challenge_indicator: must be two/],
  ])('is refused if it is incomplete or cannot be read: %j', (sent, problem) => {
    expect(read(sent)).toMatch(problem);
  });

  it.each([
    [{ eci: 5 }, { eci: '05' }],
    [{ eci: '5' }, { eci: '05' }],
    [{ eci: ' 2 ' }, { eci: '02' }],
    [
      { eci: 7, transStatus: 'n' },
      { eci: '07', transStatus: 'N' },
    ],
    [{ version: '2.2' }, { version: '2.2.0' }],
    [{ version: 2.1 }, { version: '2.1.0' }],
    [{ version: 'v2.3.1' }, { version: '2.3.1' }],
    [{ transStatus: 'y' }, { transStatus: 'Y', aresTransStatus: 'Y' }],
    [
      { directoryResponse: 'c', authenticationResponse: 'a', transStatus: '' },
      { transStatus: 'A', aresTransStatus: 'C' },
    ],
    [{ transStatus: undefined, eci: 6 }, { transStatus: 'A' }],
    [
      { transStatusReason: 1, challengeCancel: '1' },
      { transStatusReason: '01', challengeCancel: '01' },
    ],
    [{ aresTransStatus: 'D' }, { transStatus: 'Y', aresTransStatus: 'D' }],
    [{ aresTransStatus: 'C' }, { transStatus: 'Y', aresTransStatus: 'C', challengeTransStatus: 'Y' }],
    [{ requestor_challenge_indicator: 3 }, { challengeInd: '03' }],
    [{ dsTransID: 12345, transaction_id: 'other' }, { dsTransId: '12345' }],
  ])('is brought into the form that processors require: %j', (sent, result) => {
    expect(readMerchantResult({ ...whole, ...sent }, 'VISA')).toMatchObject(result);
  });

  it.each([
    ['VISA', '06', 'A'],
    ['AMEX', '06', 'A'],
    ['DISCOVER', '05', 'Y'],
    ['MASTERCARD', '01', 'A'],
    ['MASTERCARD', '02', 'Y'],
  ] as const)('has the status that %s states by the indicator %s', (scheme, eci, transStatus) => {
    expect(readMerchantResult({ ...whole, transStatus: undefined, eci }, scheme)).toMatchObject({ transStatus });
  });

  it.each([
    ['MASTERCARD', '06'],
    ['MASTERCARD', '04'],
    [undefined, '06'],
    ['VISA', '07'],
  ] as const)('is refused without a status where the indicator of %s states none: %s', (scheme, eci) => {
    const problems = readMerchantResult({ ...whole, transStatus: undefined, eci }, scheme);
    expect(problems).toEqual(['threeDSecure.transStatus: is required']);
  });

  it("is read by EMVCo's field names and by those of other processors", () => {
    const one = {
      messageVersion: '2.2.0',
      authenticationValue: 'AAABBBCCCDDD',
      dsTransID: 'd-1',
      eci: '05',
      transStatus: 'Y',
    };
    const two = {
      ...{ three_ds_version: '2.2.0', cryptogram: 'AAABBBCCCDDD', ds_transaction_id: 'd-1' },
      ...{ electronic_commerce_indicator: '05', trans_status: 'Y' },
    };
    expect(readMerchantResult(one)).toEqual(threeDsResult());
    expect(readMerchantResult(two)).toEqual(threeDsResult());
  });

  it.each([
    [{ eci: '05' }, ['Y', 'Y', null]],
    [{ transStatus: 'Y' }, ['Y', 'Y', null]],
    [{ transStatus: 'A', eci: '05' }, ['A', 'A', null]],
    [{ aresTransStatus: 'N' }, ['N', 'N', null]],
    [{ transStatus: 'Y', aresTransStatus: 'C' }, ['Y', 'C', 'Y']],
    [{ directoryResponse: 'C', authenticationResponse: 'N' }, ['N', 'C', 'N']],
    [{ directoryResponse: 'Y', authenticationResponse: 'Y' }, ['Y', 'Y', null]],
    [{ ares_trans_status: 'C', eci: '02' }, ['Y', 'C', 'Y']],
    [{ transStatus: 'C', authenticationResponse: 'U' }, ['U', 'C', 'U']],
  ])('%j: status, that of the ARes, that of the challenge', (sent, statuses) => {
    const { transStatus: _, eci: __, ...rest } = whole;
    const [transStatus, aresTransStatus, challengeTransStatus] = statuses;
    expect(readMerchantResult({ ...rest, ...sent })).toMatchObject({
      transStatus,
      aresTransStatus,
      challengeTransStatus,
    });
  });

  it('claims neither to be verified nor to have an exemption', () => {
    const sent = { ...whole, source: 'verified', exemption: 'tra' };
    expect(readMerchantResult(sent)).toMatchObject({ source: 'merchant', exemption: null });
  });
});

describe('whether a payer was authenticated', () => {
  it.each([
    ['Y', true],
    ['A', true],
    ['N', false],
    ['R', false],
    ['U', false],
    ['I', false],
    ['C', false],
  ])('%s: %s', (transStatus, is) => {
    expect(isAuthenticated(threeDsResult({ transStatus }))).toBe(is);
    expect(isAuthenticated(threeDsResult({ transStatus, source: 'verified' }))).toBe(is);
  });

  it('does not follow from a result without a status', () =>
    expect(isAuthenticated(threeDsResult({ transStatus: null }))).toBe(false));

  it('needs something to show an issuer', () => {
    expect(isAuthenticated(null)).toBe(false);
    for (const missing of [{ cavv: null }, { dsTransId: null }]) {
      expect([hasProof(threeDsResult(missing)), isAuthenticated(threeDsResult(missing))]).toEqual([false, false]);
    }
  });
});

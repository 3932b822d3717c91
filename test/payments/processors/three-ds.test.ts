import { describe, expect, it } from 'vitest';
import { hasProof, isAuthenticated, readMerchantResult } from '#payments/payments/three-ds.ts';
import { threeDsResult } from './contract.ts';

const whole = { version: '2.2.0', cavv: 'AAABBBCCC', dsTransID: 'd-1' };

describe('what a merchant sends of an authentication', () => {
  it('is nothing unless it is whole', () => {
    expect(readMerchantResult(null)).toBeNull();
    for (const name of ['version', 'cavv', 'dsTransID']) {
      expect(readMerchantResult({ ...whole, [name]: '' }), name).toBeNull();
      expect(readMerchantResult({ ...whole, [name]: 5 }), name).toBeNull();
    }
  });

  it("is read by EMVCo's field names and by those of other processors", () => {
    const one = {
      messageVersion: '2.2.0',
      authenticationValue: 'AAABBBCCC',
      dsTransID: 'd-1',
      eci: '05',
      transStatus: 'Y',
    };
    const two = {
      ...{ three_ds_version: '2.2.0', cryptogram: 'AAABBBCCC', ds_transaction_id: 'd-1' },
      ...{ electronic_commerce_indicator: '05', trans_status: 'Y' },
    };
    expect(readMerchantResult(one)).toEqual(threeDsResult());
    expect(readMerchantResult(two)).toEqual(threeDsResult());
  });

  it.each([
    [{}, [null, null, null]],
    [{ transStatus: 'Y' }, ['Y', 'Y', null]],
    [{ transStatus: 'A' }, ['A', 'A', null]],
    [{ aresTransStatus: 'Y' }, [null, 'Y', null]],
    [{ transStatus: 'Y', aresTransStatus: 'C' }, ['Y', 'C', 'Y']],
    [{ directoryResponse: 'C', authenticationResponse: 'N' }, ['N', 'C', 'N']],
    [{ directoryResponse: 'Y', authenticationResponse: 'Y' }, [null, 'Y', null]],
    [{ ares_trans_status: 'C' }, [null, 'C', null]],
    [{ transStatus: 'C' }, ['C', 'C', null]],
  ])('%j: status, that of the ARes, that of the challenge', (sent, statuses) => {
    const result = readMerchantResult({ ...whole, ...sent });
    expect([result?.transStatus, result?.aresTransStatus, result?.challengeTransStatus]).toEqual(statuses);
  });

  it('keeps what was asked of the issuer only where it is one of its codes', () => {
    expect(readMerchantResult({ ...whole, requestor_challenge_indicator: '03' })?.challengeInd).toBe('03');
    expect(readMerchantResult({ ...whole, requestor_challenge_indicator: 'all' })?.challengeInd).toBeNull();
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

  it('without a status only merchants are believed', () => {
    expect(isAuthenticated(threeDsResult({ transStatus: null }))).toBe(true);
    expect(isAuthenticated(threeDsResult({ transStatus: null, source: 'verified' }))).toBe(false);
  });

  it('needs something to show an issuer', () => {
    expect(isAuthenticated(null)).toBe(false);
    for (const missing of [{ cavv: null }, { dsTransId: null }]) {
      expect([hasProof(threeDsResult(missing)), isAuthenticated(threeDsResult(missing))]).toEqual([false, false]);
    }
  });
});

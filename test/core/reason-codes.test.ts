import { describe, expect, it } from 'vitest';
import { claimOfCode, joinReason } from '#core/kernel/card/scheme-reasons.ts';

describe('the claim of a reason', () => {
  it.each([
    [
      'fraud',
      '193 4540 7030 UA11 debit_not_authorized NOT_RECOGNIZED F10 F14 F31 FR2 FR4 FR6 UA01 UA05 UA06 AA 4849 unrecognized UNAUTHORISED',
    ],
    ['not_received', '13.1 13.9 NF 4755 155 PRODUCT_NOT_RECEIVED product_service_not_received'],
    ['no_credit', '13.6 13.7 C04 C05 C18 CD 8002 credit_not_issued'],
    ['twice', '12.6.2 C14 PM 173 4834 4865'],
    ['cancelled', 'SUBSCRIPTION_CANCELLED canceled_recurring 4541'],
    ['not_as_described', 'not_as_described 4553'],
    ['other', '4808 4850 AW 11.3 12.5 13.8 4831 P05 LP noncompliant INCORRECT_AMOUNT'],
  ])('is %s for %s', (claim, codes) => {
    for (const code of codes.split(' ')) expect([code, claimOfCode(code)]).toEqual([code, claim]);
  });

  it.each([
    ['product_not_received', 'not_received'],
    ['credit_not_processed', 'no_credit'],
    ['subscription_canceled', 'cancelled'],
    ['product_unacceptable', 'not_as_described'],
  ])('of Mastercard’s umbrella 4853 is that of the processor’s word %s', (word, claim) => {
    expect(joinReason('4853', word)).toBe(`4853 ${word}`);
    expect(claimOfCode(joinReason(' 4853', word))).toBe(claim);
  });

  it.each([
    ['duplicate', 'twice'],
    ['incorrect_amount', 'other'],
    ['general', 'twice'],
    ['fraudulent', 'fraud'],
    ['', 'twice'],
  ])('of Mastercard’s umbrella 4834 is that of the processor’s word %s', (word, claim) => {
    expect(claimOfCode(joinReason('4834', word))).toBe(claim);
  });

  it('is unknown for the umbrella alone, and of other codes the processor’s word does not matter', () => {
    expect(['4853', '4853 general'].map(claimOfCode)).toEqual([undefined, undefined]);
    expect(joinReason('13.1', 'general')).toBe('13.1');
    expect(joinReason('', 'general')).toBe('general');
  });
});

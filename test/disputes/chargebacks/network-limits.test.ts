import { describe, expect, it } from 'vitest';
import { networkLimits, whyTooMuch } from '#disputes/chargebacks/files/network-limits.ts';

const files = (count: number, one: { bytes: number; pages?: number }) => Array.from({ length: count }, () => one);

describe('the limits of a card network on files of a dispute', () => {
  it.each([
    ['American Express takes five files', 'american_express', files(5, { bytes: 1, pages: 1 }), undefined],
    [
      'American Express takes no sixth file',
      'Amex',
      files(6, { bytes: 1, pages: 1 }),
      'American Express accepts at most 5 files',
    ],
    ['American Express takes twenty pages with the response', 'amex', files(1, { bytes: 1, pages: 19 }), undefined],
    [
      'American Express takes no more pages',
      'amex',
      files(2, { bytes: 1, pages: 10 }),
      'American Express accepts at most 20 pages',
    ],
    ['Mastercard takes 19 pages with the response', 'mastercard', files(2, { bytes: 1, pages: 9 }), undefined],
    ['Mastercard takes no more pages', 'MASTERCARD', files(1, { bytes: 1, pages: 19 }), '19 pages'],
    ['Maestro has the limit of Mastercard', 'maestro', files(1, { bytes: 1, pages: 30 }), '19 pages'],
    ['Mastercard is named mc by Adyen', 'mc', files(1, { bytes: 1, pages: 19 }), '19 pages'],
    ['Discover takes 3 MB', 'discover', files(3, { bytes: 1_000_000 }), undefined],
    [
      'Discover takes no more bytes',
      'Discover',
      files(3, { bytes: 1_000_001 }),
      'accepts at most 3 MB of files together',
    ],
    [
      'Diners has the limit of Discover',
      'diners_club',
      files(1, { bytes: 3_000_001 }),
      'accepts at most 3 MB of files together',
    ],
    ['pages that are not known do not count', 'mastercard', files(30, { bytes: 1 }), undefined],
    ['Visa publishes none below ours', 'visa', files(9, { bytes: 400_000, pages: 40 }), undefined],
    ['an unknown network has none', '', files(9, { bytes: 400_000, pages: 40 }), undefined],
  ])('%s', (_, network, offered, words) => {
    if (words === undefined) expect(whyTooMuch(network, offered)).toBeUndefined();
    else expect(whyTooMuch(network, offered)).toContain(words);
  });

  it('each name their source and when it was read', () => {
    for (const { source, checked } of Object.values(networkLimits)) {
      expect(source).toMatch(/^https:\/\//);
      expect(checked).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  });
});

import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Card,
  cardFingerprintsOf,
  fingerprintOf,
  holdsCardNumber,
  maskNumber,
  readCard,
  schemeOf,
  schemeRules,
} from '#core/kernel/card/card.ts';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import { schemes } from '#core/kernel/card/schemes.ts';

const ring = { current: 'k2', keys: { k1: 'a'.repeat(64), k2: 'b'.repeat(64) } };
const number = '4242424242424242';
const sent = {
  card_type: undefined,
  card_no: number,
  card_ccv: '123',
  card_exp_month: '12',
  card_exp_year: '2030',
  card_name: 'Jenny Rosen',
};
const rules = { today: '2026-05-02T10:00:00.000Z', cvvIsOptional: false };
const card = () => {
  const read = readCard(sent, rules);
  if (Array.isArray(read)) throw new Error(read.join('; '));
  return read;
};
const problems = (change: Partial<Parameters<typeof readCard>[0]>, more = {}) =>
  readCard({ ...sent, ...change }, { ...rules, ...more });

describe('schemes', () => {
  it.each([
    ['VISA', '424242'],
    ['MASTERCARD', '510510'],
    ['MASTERCARD', '222100'],
    ['MASTERCARD', '272099'],
    ['AMEX', '371449'],
    ['AMEX', '340000'],
    ['DISCOVER', '601111'],
    ['DISCOVER', '644000'],
    ['DINERS', '305693'],
    ['DINERS', '360000'],
    ['JCB', '353011'],
    ['UNIONPAY', '620000'],
  ])('%s: %s', (scheme, digits) => {
    expect(schemeOf(digits)).toBe(scheme);
  });

  it.each(['222099', '272100', '999999', '100000', '', 'abc'])('none of ours: %s', (digits) => {
    expect(schemeOf(digits)).toBeUndefined();
  });

  it('have lengths and the digits of their security code', () => {
    expect(schemes.map((scheme) => schemeRules(scheme).cvvDigits)).toEqual([3, 3, 4, 3, 3, 3, 3]);
    for (const scheme of schemes) expect(schemeRules(scheme).lengths.length).toBeGreaterThan(0);
  });
});

describe('the check digit', () => {
  it('is wrong for every other last digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11,18}$/), (digits) => {
        expect(Array.from({ length: 10 }, (_, last) => passesLuhn(`${digits}${last}`)).filter(Boolean)).toHaveLength(1);
      }),
    );
  });

  it('is wrong when any one digit is', () => {
    fc.assert(
      fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (place, more) => {
        const digits = [...number];
        digits[place] = String((Number(digits[place]) + more) % 10);
        expect(passesLuhn(digits.join(''))).toBe(false);
      }),
    );
  });
});

describe('reading a card', () => {
  it('takes it, in groups too, until the end of its month', () => {
    expect(problems({ card_no: '4242 4242-4242 4242' })).toBeInstanceOf(Card);
    expect(problems({ card_exp_month: '05', card_exp_year: '2026' })).toBeInstanceOf(Card);
    expect(problems({ card_ccv: undefined }, { cvvIsOptional: true })).toBeInstanceOf(Card);
    const bare = { card_exp_month: undefined, card_exp_year: undefined, card_ccv: undefined };
    expect(problems(bare, { cvvIsOptional: true, expiryIsOptional: true })).toBeInstanceOf(Card);
    expect(problems({ card_no: '378282246310005', card_ccv: '1234' })).toBeInstanceOf(Card);
    expect(problems({ card_type: 'VISA' })).toBeInstanceOf(Card);
  });

  it.each([
    [12, number, '012'],
    [0, number, '000'],
    [123, number, '123'],
    [12, '378282246310005', '0012'],
  ])('gives a security code that JSON has as the number %i the zeros that it lost', (card_ccv, card_no, cvv) => {
    const read = problems({ card_no, card_ccv });
    expect(Array.isArray(read) ? read : read.reveal((parts) => parts.cvv)).toBe(cvv);
  });

  it.each([
    [{ card_no: '4242424242424241' }, 'card_no: has a wrong check digit'],
    [{ card_no: '42424242' }, 'card_no: must be a card number of 12 to 19 digits'],
    [{ card_no: '4242x24242424242' }, 'card_no: must be a card number of 12 to 19 digits'],
    [{ card_no: '4242424242426' }, 'card_no: must have 16 or 18 or 19 digits for VISA'],
    [{ card_no: '9999999999999995' }, 'card_no: must be a card of VISA, MASTERCARD'],
    [{ card_ccv: '12' }, 'card_ccv: must have 3 digits'],
    [{ card_ccv: 1234 }, 'card_ccv: must have 3 digits'],
    [{ card_ccv: -12 }, 'card_ccv: must have 3 digits'],
    [{ card_ccv: 1.5 }, 'card_ccv: must have 3 digits'],
    [{ card_ccv: undefined }, 'card_ccv: is required'],
    [{ card_type: 'AMEX' as const }, 'card_type: is AMEX, but the number is of VISA'],
    [{ card_no: '378282246310005' }, 'card_ccv: must have 4 digits'],
    [{ card_exp_month: '13' }, 'card_exp_month: must be 01 to 12'],
    [{ card_exp_month: '5' }, 'card_exp_month: must be 01 to 12'],
    [{ card_exp_year: '30' }, 'card_exp_year: must be four digits'],
    [{ card_exp_month: '04', card_exp_year: '2026' }, 'card_exp_year: the card has expired'],
  ])('names what is wrong with %j and never repeats it', (change, words) => {
    const read = problems(change);
    expect(read).toEqual([expect.stringContaining(words)]);
    for (const value of Object.values(change)) if (String(value).length > 4) expect(String(read)).not.toContain(value);
  });
});

describe('a card that was read', () => {
  it('is visible only to callers who reveal it', () => {
    const one = card();
    const shown = [JSON.stringify({ one }), inspect(one, { showHidden: true, depth: 9 }), String(one), `${[one]}`];
    expect(shown.join()).not.toMatch(/4242424242|123|Jenny/);
    expect(Object.keys(one)).toEqual(['scheme']);
    expect(structuredClone({ ...one })).toEqual({ scheme: 'VISA' });
    expect(one.reveal(({ cvv }) => cvv)).toBe('123');
  });

  it('keeps what may be kept', () => {
    const kept = card().toKeptCard(ring);
    expect(kept).toEqual({ scheme: 'VISA', first6: '424242', last4: '4242', token: fingerprintOf(ring, number) });
    expect(JSON.stringify(kept)).not.toContain(number);
  });

  it('is found again after the key has changed', () => {
    const before = { current: 'k1', keys: { k1: ring.keys.k1 } };
    expect(cardFingerprintsOf(ring, number)).toEqual([fingerprintOf(ring, number), fingerprintOf(before, number)]);
    expect(fingerprintOf(ring, number)).not.toBe(fingerprintOf(before, number));
  });
});

it('masks all but the first six and the last four', () => {
  expect(maskNumber(number)).toBe('424242******4242');
  expect(maskNumber('378282246310005')).toBe('378282*****0005');
});

describe('a text', () => {
  it.each([
    '4242424242424242',
    'order 4242 4242 4242 4242 of May',
    '378282-246310-005',
    '4242.4242.4242.4242',
    '4242/4242/4242/4242',
    '4242_4242_4242_4242',
    '4242  4242\t4242\u200b4242',
    'No. 5 4242 4242 4242 4242',
    '5. 4242-4242-4242-4242 12.99',
    '1 2 3 4242 4242 4242 4242 4 5',
    '12 4242424242424242',
    'https://shop.example.com/4242424242424242?x=1',
    '4242424242424242@example.com',
    '４２４２ ４２４２ ４２４２ ４２４２',
    '4242\u22124242\u22124242\u22124242',
    '4242\u20224242\u20224242\u20224242',
    '\u0664\u0662'.repeat(8),
    '\u096a\u0968'.repeat(8),
    'd0b7812e-c554-4839-9719-10960c7444f9 4242 4242 4242 4242',
    '42424242-4242-4242-0000-000000000000',
    'a4242424242424242',
    '4761739001010119D251220110000000',
    '374245455400126D2512201100000000',
    '4242424242424242AAAAAAAAAAAAAAAA',
  ])('holds a card number: %s', (text) => expect(holdsCardNumber(text)).toBe(true));

  it.each([
    '',
    '4242424242424241',
    '42424242424242424242',
    '424242******4242',
    '2026050212345678',
    '1081724382478336',
    '24692161070000622606414',
    'ORDER-1234',
    '+1 415 555 0132',
    '192.168.100.100 192.168.100.101',
    '2026/05/02 10:00 12.99',
    'order d0b7812e-c554-4839-9719-10960c7444f9',
    'order_24347259-9938-4591-9C42-0CD2215302E5.',
    '48630501-0956-4461-844e-1c29d60e4ac5',
    'a61b8f0c4242424242424242d3e7f92a',
    'a61b8f0c4242424242424242d3e7f92aa61b8f0c',
    `a61b8f0c4242424242424242d3e7f92a${'a61b8f0c'.repeat(4)}`,
  ])('holds none: %s', (text) => expect(holdsCardNumber(text)).toBe(false));
});

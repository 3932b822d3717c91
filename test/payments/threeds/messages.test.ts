import fc from 'fast-check';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { countryNumber, currencyNumber, readCurrencyCode } from '#core/kernel/money/numeric-codes.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import {
  challengeIndOf,
  challengeWishes,
  exemptions,
  grantedExemption,
} from '#payments/threeds/challenge/challenge-wish.ts';
import { isClientToken, newClientToken, readClientToken, tokenDigest } from '#payments/threeds/payer/client-token.ts';
import { toAscii } from '#payments/threeds/server/ascii.ts';
import { fromBase64Url, isUuid, toBase64Url } from '#payments/threeds/server/base64url.ts';
import { toPhoneNumber } from '#payments/threeds/server/phone.ts';

describe('messages in base64url', () => {
  it('are read back as they were, padded or not, in either alphabet', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer())), (value) => {
        const text = toBase64Url(value);
        const bytes = Buffer.from(JSON.stringify(value));
        expect(text).not.toMatch(/[=+/]/);
        const known = JSON.parse(JSON.stringify(value));
        for (const form of [text, bytes.toString('base64'), ` ${text}${'='.repeat((4 - (text.length % 4)) % 4)}\n`]) {
          expect(fromBase64Url(form)).toEqual(known);
        }
      }),
    );
  });

  it.each(['', '=', 'a b', '%7B%7D', 'bm90IGpzb24', 'W10', 'bnVsbA', 'MQ', `${'A'.repeat(70_000)}`])(
    'are none: %j',
    (text) => expect(fromBase64Url(text)).toBeUndefined(),
  );

  it('are read in lines, and where a form has made blanks of a plus', () => {
    const text = Buffer.from('{"a":"~~~>>>???"}').toString('base64');
    expect(text).toMatch(/\+/);
    for (const form of [
      text.replace(/.{8}/g, '$&\r\n'),
      text.replaceAll('+', ' '),
      ` ${text.replace(/.{8}/g, '$&\n ')}`,
    ])
      expect(fromBase64Url(form)).toEqual({ a: '~~~>>>???' });
  });

  it('name transactions by UUIDs', () => {
    expect(isUuid('6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb')).toBe(true);
    for (const other of ['6b91f61e', 5, null, '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb '])
      expect(isUuid(other)).toBe(false);
  });
});

describe('names in ASCII', () => {
  it.each([
    ['Zoë Müller', 'Zoe Muller'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Søren Ærø-Straße', 'Soren AEro-Strasse'],
    ['Đặng Thị  Hằng', 'Dang Thi Hang'],
    ['O’Brien', "O'Brien"],
    ['Ada 李 Lovelace', 'Ada Lovelace'],
    ['ＡＤＡ', 'ADA'],
    ['李小龙', null],
    ['', null],
    [null, null],
  ])('%j: %j', (text, ascii) => expect(toAscii(text, 45)).toBe(ascii));

  it('are cut, and left out where too little is left', () => {
    expect(toAscii('abc def', 4)).toBe('abc');
    expect(toAscii('李 A', 45, 2)).toBeNull();
  });

  it('have nothing else in them, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 60 }), (text, longest) => {
        const ascii = toAscii(text, longest);
        if (ascii !== null) expect(ascii).toMatch(new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`));
      }),
    );
  });
});

describe('telephone numbers', () => {
  it.each([
    ['+1 (555) 010-9999', { cc: '1', subscriber: '5550109999' }],
    ['+61 412 345 678', { cc: '61', subscriber: '412345678' }],
    ['0049 30 901820', { cc: '49', subscriber: '30901820' }],
    ['+44 (0)20 7946 0018', { cc: '44', subscriber: '2079460018' }],
    ['+353 1 234 5678', { cc: '353', subscriber: '12345678' }],
    ['030 901820', null],
    ['+0 123 456 789', null],
    ['+49 1', null],
    ['+1234567890123456', null],
    [null, null],
  ])('%s', (text, number) => expect(toPhoneNumber(text)).toEqual(number));
});

it('countries and currencies go by their numbers', () => {
  for (const [alpha2 = '', , numeric] of codes) expect([alpha2, countryNumber(alpha2)]).toEqual([alpha2, numeric]);
  for (const { code, numeric } of listedCurrencies)
    expect([currencyNumber(code), readCurrencyCode(numeric)]).toEqual([numeric, code]);
  expect(['DE', 'de', '276', 'XX', '999'].map(countryNumber)).toEqual(['276', '276', '276', undefined, undefined]);
  expect(['EUR', 'AUD', 'XXQ'].map(currencyNumber)).toEqual(['978', '036', undefined]);
  expect(['978', 'eur', 'JPY', '000'].map(readCurrencyCode)).toEqual(['EUR', 'EUR', 'JPY', undefined]);
});

describe('what is asked of an issuer about a challenge', () => {
  const settings = { challengeInd: '03', disablesChallenge: false };
  it.each([
    ['no_preference', '01'],
    ['unwanted', '02'],
    ['wanted', '03'],
    ['mandated', '04'],
  ] as const)('%s: %s', (challenge, code) =>
    expect(challengeIndOf({ challenge, exemption: 'none', settings: { ...settings, challengeInd: '02' } })).toBe(code),
  );

  it.each([
    ['tra', '05'],
    ['data_only', '06'],
    ['sca_done', '07'],
    ['trusted', '08'],
    ['trust_prompt', '09'],
  ] as const)('%s wins over every wish: %s', (exemption, code) => {
    for (const challenge of [...challengeWishes, undefined]) {
      for (const disablesChallenge of [true, false]) {
        expect(challengeIndOf({ challenge, exemption, settings: { ...settings, disablesChallenge } })).toBe(code);
      }
    }
  });

  it('is what the site says where nothing was wished, and none where it takes none', () => {
    expect(challengeIndOf({ challenge: undefined, exemption: 'none', settings })).toBe('03');
    const none = { ...settings, disablesChallenge: true };
    expect(challengeIndOf({ challenge: 'mandated', exemption: 'none', settings: none })).toBe('02');
  });

  it('is granted where the issuer acknowledges or names it', () => {
    const granted = (transStatus: string, challengeExemption: string | null = null) =>
      exemptions.filter((one) => grantedExemption(one, { transStatus, challengeExemption }) !== null);
    expect(granted('I')).toEqual(['tra', 'sca_done', 'trusted']);
    expect([granted('Y'), granted('N'), granted('Y', '79')]).toEqual([[], [], []]);
    expect([granted('Y', '05'), granted('Y', '08')]).toEqual([['tra'], ['trusted']]);
  });
});

describe('a client token', () => {
  const ring = { current: 'k2', keys: { k1: 'old', k2: 'new' } };
  const owner = { id: 1_001_002, sid: 7, pageOrigin: 'https://shop.example.com' };
  const expiry = 2_000_000_000_000;
  const token = newClientToken(ring, owner, expiry);

  it('is good for its authentication until it ends, by any key that was the current one', () => {
    expect(token).toMatch(/^1001002\.2000000000000\.[\da-f]{40}$/);
    expect(isClientToken(ring, owner, token, expiry - 1)).toBe(true);
    expect(isClientToken({ ...ring, current: 'k1' }, owner, token, expiry - 1)).toBe(true);
    expect(isClientToken(ring, owner, token, expiry)).toBe(false);
  });

  it.each([{ id: 1_001_003 }, { sid: 8 }, { pageOrigin: 'https://shop.example.org' }])(
    'is good for nothing else: %j',
    (change) => {
      expect(isClientToken(ring, { ...owner, ...change }, token, expiry - 1)).toBe(false);
    },
  );

  it('cannot be changed, or made without the key', () => {
    const [id, , mac] = token.split('.');
    const others = [`${id}.${expiry + 1}.${mac}`, `${token} `, token.slice(0, -1), '', `${id}.${mac}`, `0${token}`];
    for (const other of others) expect(isClientToken(ring, owner, other, 0), other).toBe(false);
    expect(isClientToken({ current: 'k1', keys: { k1: 'other' } }, owner, token, 0)).toBe(false);
    expect(readClientToken(token, 1_001_003, 0)).toBeUndefined();
  });

  it('is remembered by a digest', () => {
    expect(tokenDigest(token)).toMatch(/^[\da-f]{32}$/);
    expect(tokenDigest(token)).not.toBe(tokenDigest(newClientToken(ring, owner, expiry + 1)));
  });
});

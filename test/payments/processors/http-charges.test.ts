import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DisputesPage } from '#payments/processors/http/http-disputes.ts';
import { ListAnswer, readCharge, readCharges, readSearch } from '#payments/processors/http/http-messages.ts';

const plain = { reference: 'c1', date: '2026-11-26T10:00:00Z', amount: '55.00', currency: 'USD' };

describe('a charge of a merchant’s own service', () => {
  it.each([
    ['lower-case currency', { currency: 'usd ' }, { money: { minor: 5500n, currency: 'USD' } }],
    ['JPY with decimals', { amount: '3000.00', currency: 'JPY' }, { money: { minor: 3000n, currency: 'JPY' } }],
    ['JPY with three zeros', { amount: '3000.000', currency: 'JPY' }, { money: { minor: 3000n, currency: 'JPY' } }],
    ['noise of floats', { amount: 59.97, refunded: 0.1 + 0.2 }, { captured: 5997n, refunded: 30n }],
    ['single precision', { amount: '59.970001220703125' }, { money: { minor: 5997n, currency: 'USD' } }],
    ['empty amounts', { captured: '', refunded: ' ' }, { captured: 5500n, refunded: 0n }],
    ['flags in words', { charged_back: 'Yes', settled: '0' }, { isChargedBack: true, isSettled: false }],
    ['empty flags', { charged_back: '', settled: '' }, { isChargedBack: false, isSettled: true }],
    ['an amount as number', { amount: 55.5 }, { money: { minor: 5550n, currency: 'USD' } }],
    ['no card', { card: null }, { first6: '', last4: '' }],
    ['null for each part of the card', { card: { first6: null, last4: null, brand: null } }, { first6: '', last4: '' }],
    ['last four digits as number', { card: { last4: 42 } }, { last4: '0042' }],
    ['last four digits with a mask', { card: { last4: '**** 4242' } }, { last4: '4242' }],
    ['a BIN of eight digits', { card: { first6: 42_424_242, last4: '4242' } }, { first6: '424242' }],
    ['a brand in two words', { card: { brand: 'American Express' } }, { brand: 'AMEX' }],
    ['a long descriptor', { descriptor: 'x'.repeat(61) }, { descriptor: 'x'.repeat(60) }],
    ['an ARN with spaces', { arn: '2469216 1070 0006 2200 0002' }, { arn: '24692161070000622000002' }],
    ['an ARN of 24 digits', { arn: '246921610700006220000021' }, { arn: null }],
    ['captured null', { captured: null, refunded: null }, { captured: 5500n, refunded: 0n }],
    ['refunded as number', { refunded: 5 }, { refunded: 500n }],
    ['an authorization code as number', { auth_code: 12_345 }, { authCode: '012345' }],
    ['references as numbers', { reference: 7, order_reference: 8 }, { reference: '7', secondReference: '8' }],
    ['flags as texts', { charged_back: 'true', settled: null }, { isChargedBack: true, isSettled: true }],
    ['a type with a dash', { type: 'one-time' }, { type: 'one_time' }],
    ['a time without zone', { date: '2026-11-26T10:00:00' }, { date: '2026-11-26T10:00:00.000Z' }],
    ['a time with a space', { date: '2026-11-26 10:00:00+01' }, { date: '2026-11-26T09:00:00.000Z' }],
    ['a day', { date: '2026-11-26' }, { date: '2026-11-26T00:00:00.000Z' }],
  ])('is read with %s', (_, change, expected) => expect(readCharge({ ...plain, ...change })).toMatchObject(expected));

  it.each([
    ['amount', { amount: '-55.00' }],
    ['amount', { amount: undefined }],
    ['amount', { amount: '55', currency: 'XXQ' }],
    ['refunded', { refunded: '5,00' }],
    ['captured', { captured: 'all' }],
    ['date', { date: 'yesterday' }],
    ['charged_back', { charged_back: 'perhaps' }],
    ['card.last4', { card: { last4: '42' } }],
    ['reference', { reference: '' }],
  ])('is unreadable by its %s, which is named without its value', (field, change) => {
    const words = readCharge({ ...plain, ...change });
    expect(words).toEqual(expect.stringMatching(new RegExp(`^${field} `)));
    expect(words).not.toContain('perhaps');
  });

  it('leaves the others usable if it is unreadable', () => {
    const { candidates, unreadable } = readCharges([plain, { ...plain, reference: 'c2', amount: 'x' }, null, 'text']);
    expect(candidates).toMatchObject([{ reference: 'c1' }]);
    expect(unreadable.map(({ words }) => words)).toEqual([
      expect.stringContaining('charge c2: amount'),
      expect.stringContaining('charge 3: '),
      expect.stringContaining('charge 4: '),
    ]);
  });

  it('is read from a bare list, and one more than 100 makes the search incomplete', () => {
    expect(readSearch([plain])).toMatchObject({ candidates: [{ reference: 'c1' }], isWhole: true });
    expect(readSearch({ charges: Array.from({ length: 101 }, () => plain) })).toMatchObject({ isWhole: false });
    expect(readSearch({ charge: [] })).toBe('charges is missing');
  });
});

it.each([
  [undefined, null],
  ['', null],
  ['  ', null],
  [200, '200'],
  ['c2', 'c2'],
])('the next cursor %j of a list is read as %j', (next_cursor, expected) => {
  expect(v.parse(ListAnswer, { charges: [], next_cursor }).next_cursor).toBe(expected);
  expect(v.parse(DisputesPage, { disputes: [], next_cursor }).next_cursor).toBe(expected);
});

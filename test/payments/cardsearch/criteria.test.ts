import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from '#core/platform/http/parse.ts';
import { recentSince, toCriteria } from '#payments/cardsearch/criteria.ts';
import { CardSearch } from '#payments/cardsearch/schemas.ts';

const at = '2026-05-31T10:00:00.000Z';
const of = (body: Record<string, unknown>) => toCriteria(1, v.parse(CardSearch, body), at);
const wrong = (body: Record<string, unknown>): string => {
  try {
    parse(CardSearch, body);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the stretch of time', () => {
  it.each([
    ['2026-05-02T10:00:00.250Z', '2026-02-02T10:00:00.250Z'],
    ['2026-05-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['2024-05-31T10:00:00.000Z', '2024-02-29T10:00:00.000Z'],
    ['2026-01-15T00:00:00.000Z', '2025-10-15T00:00:00.000Z'],
    ['2026-03-31T23:59:59.999Z', '2025-12-31T23:59:59.999Z'],
  ])('of %s begins three months before: %s', (now, from) => expect(recentSince(now)).toBe(from));

  it.each([['052026'], [52026], ['52026']])('is the whole month of month_year %s', (month_year) =>
    expect(of({ month_year })?.span).toEqual({ from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' }),
  );

  it('ends with the year in December', () =>
    expect(of({ month_year: 122025 })?.span).toEqual({
      from: '2025-12-01T00:00:00.000Z',
      to: '2026-01-01T00:00:00.000Z',
    }));

  it.each([['132026'], [2026], ['002026'], ['2026-05'], [202605], [5.2]])('is not %s', (month_year) =>
    expect(wrong({ month_year })).toMatch(/^month_year: must be a month/),
  );
});

describe('the card', () => {
  const number = '4242424242424242';
  it.each([
    [number, number, '424242', '4242'],
    ['4242 4242 4242 4242', number, '424242', '4242'],
    ['424242******4242', null, '424242', '4242'],
    ['424242xxxxxx4242', null, '424242', '4242'],
    ['4242 42XX XXXX 4242', null, '424242', '4242'],
    ['************4242', null, null, '4242'],
    ['424242**********', null, '424242', null],
  ])('%s', (card_no, whole, first6, last4) => {
    expect(of({ card_no })?.card).toEqual({ number: whole, first6, last4 });
  });

  it('has its zeros again that a JSON number lost', () =>
    expect(of({ card_firstsix: 42, card_lastfour: 7 })?.card).toEqual({
      number: null,
      first6: '000042',
      last4: '0007',
    }));

  it.each([
    [{ card_no: '4242424242424241' }, 'card_no: has a wrong check digit'],
    [{ card_no: '****************' }, 'card_no: must be a card number'],
    [{ card_no: '42424242' }, 'card_no: must be a card number'],
    [{ card_no: `${number}${number}` }, 'card_no: must be a card number'],
    [{ card_no: ['4'] }, 'card_no: must be a card number'],
    [{ card_firstsix: 4242424 }, 'card_firstsix: must be 6 digits'],
    [{ card_lastfour: -42 }, 'card_lastfour: must be 4 digits'],
    [{ card_lastfour: 42.5 }, 'card_lastfour: must be 4 digits'],
  ])('is not %o, and what was sent is not repeated', (body, words) => {
    expect(wrong(body)).toContain(words);
    expect(wrong(body)).not.toContain('4242424242');
  });

  it('cannot be any where the fields exclude each other', () => {
    expect(of({ card_no: number, card_lastfour: 1111 })).toBeUndefined();
    expect(of({ card_no: '424242******4242', card_firstsix: 411111 })).toBeUndefined();
    expect(of({ card_no: number, card_firstsix: 424242, card_lastfour: 4242 })).toBeDefined();
  });
});

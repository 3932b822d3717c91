import { describe, expect, it } from 'vitest';
import { pickDriver, readNumber, readQuery } from '#disputes/search/search-query.ts';

const readTerms = (text: string) =>
  readQuery(text).tokens.map(({ term, field }) => (field ? `${field} ${term}` : term));

describe('readQuery', () => {
  it.each<[string, string[]]>([
    ['411111 1111', ['card 411111-1111']],
    ['411111******1111', ['card 411111-1111']],
    ['411111XXXXXX1111', ['card 411111-1111']],
    ['411111…1111', ['card 411111-1111']],
    ['4111 11** **** 1111', ['card 411111-1111']],
    ['•••• 1111', ['card 1111']],
    ['**1111', ['card 1111']],
    ['xxxx-1111', ['card 1111']],
    ['Visa •••• 0259', ['card 0259', 'network visa']],
    ['card:4242', ['card 4242']],
    ['card:411111', ['card 411111']],
    ['card:"411111 1111"', ['card 411111-1111']],
    ['4242', ['4242']],
    ['$45.20', ['amount 45.2']],
    ['45.20', ['amount 45.2']],
    ['45,20 EUR', ['amount 45.2']],
    ['EUR 45,20', ['amount 45.2']],
    ['45,20€', ['amount 45.2']],
    ['1,234.50 usd', ['amount 1234.5']],
    ['1.234,50 €', ['amount 1234.5']],
    ['¥1,200', ['amount 1200']],
    ['1.234 KWD', ['amount 1.234']],
    ['amount:45.00', ['amount 45']],
    ['amount:"45.20 USD"', ['amount 45.2']],
    ['amount:"EUR 45,20"', ['amount 45.2']],
    ['amount:€45', ['amount 45']],
    ['constructor', ['constructor']],
    ['__proto__ toString', ['__proto__', 'tostring']],
    ['"valueOf"', ['valueof']],
    ['Ada@Example.com', ['ada@example.com']],
    ['email:ada@example.com', ['email ada@example.com']],
    ['#WEB-7004', ['web-7004']],
    ['24692161070000622606414', ['24692161070000622606414']],
    ['1151393752192994', ['1151393752192994']],
    ['ref:pi_3abc', ['reference pi_3abc']],
    ['"shop*online 123"', ['shop*online 123']],
    ['203.0.113.7', ['203.0.113.7']],
    ['lovelace 361.56', ['lovelace', 'amount 361.56']],
  ])('reads %s', (text, terms) => {
    expect(readTerms(text)).toEqual(terms);
    expect(readQuery(text).strange).toEqual([]);
  });

  it('keeps the currency that an amount names', () =>
    expect(readQuery('45,20 EUR').tokens).toEqual([{ term: '45.2', field: 'amount', rank: 2, currency: 'EUR' }]));

  it('names what it does not understand, and leaves it out', () => {
    const query = readQuery('ada colour:red amount:many from:yesterday card:12');
    expect(query.tokens.map(({ term }) => term)).toEqual(['ada']);
    expect(query.strange).toEqual(['colour:red', 'amount:many', 'from:yesterday', 'card:12']);
  });

  it.each([
    ...['in:constructor', 'in:__proto__', 'network:constructor', 'network:hasOwnProperty', 'constructor:visa'],
    ...['from:2026-02-30', 'until:2026-02-29', 'from:2026-04-31', 'from:2026-13-01', 'amount:"45.20 ABQ"'],
  ])('does not understand %s', (text) =>
    expect(readQuery(text)).toMatchObject({ strange: [text], tokens: [], kinds: [], from: null, until: null }),
  );

  it('reads the last day of February in a leap year', () =>
    expect(readQuery('until:2028-02-29').until).toBe('2028-03-01'));

  it('keeps the currency that a filter for amounts names', () =>
    expect(readQuery('amount:"45.20 usd"').tokens).toMatchObject([{ term: '45.2', currency: 'USD' }]));

  it('reads days, kinds and test alerts, the last day included', () =>
    expect(readQuery('ada from:2026-11-01 until:2026-11-30 in:alerts test:no')).toMatchObject({
      ...{ from: '2026-11-01', until: '2026-12-01', kinds: ['alert'], test: false, strange: [] },
    }));

  it('searches by the word that the fewest rows have', () => {
    expect(pickDriver(readQuery('45.20 ada@example.com visa'))?.term).toBe('ada@example.com');
    expect(pickDriver(readQuery('•••• 1111 45.20'))?.term).toBe('1111');
    expect(pickDriver(readQuery('visa'))).toBeUndefined();
    expect(pickDriver(readQuery('in:alerts'))).toBeUndefined();
  });
});

describe('readNumber', () => {
  it.each([
    ['0045', '45'],
    ['1,234', '1234'],
    ["1'234.50", '1234.5'],
    ['12.5', '12.5'],
  ])('reads %s as %s', (text, number) => expect(readNumber(text)).toBe(number));

  it.each(['', '1,2,3', 'abc', '1.2.3.4'])('reads no number in %j', (text) => expect(readNumber(text)).toBeUndefined());
});

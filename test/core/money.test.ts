import { data as currencyCodes } from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies, endedCurrencies } from '#core/kernel/money/currencies.ts';
import { formatAmount, isCurrency, parseAmount } from '#core/kernel/money/money.ts';

const codes = Object.keys(currencies);

describe('the table of currencies', () => {
  it('is that of the library', () => {
    const listed = Object.fromEntries(currencyCodes.map(({ code, digits }) => [code, digits]));
    // ISO 4217, amendments 176 and 177: the package is behind.
    expect({ ...currencies, ...endedCurrencies }).toEqual({ ...listed, XAD: 2, XCG: 2 });
    expect(Object.keys(endedCurrencies).filter(isCurrency)).toEqual([]);
  });
});

describe('reading an amount', () => {
  it.each(['1e3', '0x10', ' 10', '10 ', '1,000.00', '+1', '-1', '01', '.5', '1.', '', 'NaN', '１０', '10.000'])(
    'refuses %j in USD',
    (text) => expect(parseAmount(text, 'USD')).toBeTypeOf('string'),
  );

  it.each([
    ['10', 'USD', 1000n],
    ['10.5', 'USD', 1050n],
    ['0.01', 'USD', 1n],
    ['361.56', 'USD', 36156n],
    ['500', 'JPY', 500n],
    ['1.234', 'KWD', 1234n],
    ['999999999999999.99', 'USD', 99999999999999999n],
  ])('takes %s %s for %s minor units', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
  });

  it.each([
    ['10.00', 'JPY', 10n],
    ['10.0', 'JPY', 10n],
    ['10.5000', 'USD', 1050n],
    ['10.0000', 'KWD', 10000n],
    ['100.00', 'BGN', 10000n],
    ['100.00', 'XCG', 10000n],
  ])('drops zeros that %s %s has beyond its decimals', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ minor, currency });
  });

  it.each(['1.000', '10.000'])('refuses %s yen, which may be a thousand', (text) =>
    expect(parseAmount(text, 'JPY')).toBe('has more decimals than JPY has (0)'),
  );

  it('refuses more decimals than the currency has, and says how many it has', () => {
    expect(parseAmount('1.5', 'JPY')).toBe('has more decimals than JPY has (0)');
  });

  it.each(['', 'US', 'usd', 'XYZ', 'toString', '__proto__'])('refuses %j as a currency', (currency) => {
    expect(parseAmount('1', currency)).toBe('needs a currency of ISO 4217');
  });

  it('reads back whatever is written', () => {
    const money = fc.record({ minor: fc.bigInt(0n, 10n ** 15n - 1n), currency: fc.constantFrom(...codes) });
    fc.assert(
      fc.property(money, (value) => {
        expect(parseAmount(formatAmount(value), value.currency)).toEqual(value);
      }),
    );
  });
});

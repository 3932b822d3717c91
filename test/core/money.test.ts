import { data as currencyCodes } from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '#core/kernel/money/currencies.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';

const codes = Object.keys(currencies);

describe('the table of currencies', () => {
  it('is that of the library', () => {
    expect(currencies).toEqual(Object.fromEntries(currencyCodes.map(({ code, digits }) => [code, digits])));
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

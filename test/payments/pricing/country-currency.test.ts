import { expect, it } from 'vitest';
import { isCountry } from '#core/kernel/countries.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import { countries } from '#payments/datasources/country-list.ts';
import { currencyOfCountry } from '#payments/pricing/options/country-currency.ts';

it('knows a currency of ISO 4217 for every country but Antarctica', () => {
  const without = countries.map(({ alpha2 }) => alpha2).filter((code) => currencyOfCountry(code) === undefined);
  expect(without).toEqual(['AQ']);
  for (const { alpha2 } of countries) {
    expect(isCountry(alpha2)).toBe(true);
    const currency = currencyOfCountry(alpha2);
    if (currency !== undefined) expect(exponentOf(currency), `${alpha2}: ${currency}`).toBeTypeOf('number');
  }
});

it.each([
  ['DE', 'EUR'],
  ['GB', 'GBP'],
  ['CH', 'CHF'],
  ['JP', 'JPY'],
  ['US', 'USD'],
  ['SN', 'XOF'],
])('pays in %s with %s', (country, currency) => expect(currencyOfCountry(country)).toBe(currency));

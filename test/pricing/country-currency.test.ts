import { expect, it } from 'vitest';
import { isCountry } from '../../functions/core/countries.ts';
import { exponentOf } from '../../functions/core/money.ts';
import { countries } from '../../functions/datasources/countries.ts';
import { currencyOfCountry } from '../../functions/pricing/country-currency.ts';

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

import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { listedCurrencies } from '../payments/currency-list.ts';

/** EMVCo writes countries and currencies as three digits, of ISO 3166-1 and ISO 4217. */

const countryNumbers = new Map(codes.map(([alpha2 = '', , numeric = '']) => [alpha2, numeric]));
const knownCountries = new Set(countryNumbers.values());
const currencyNumbers = new Map(listedCurrencies.map(({ code, numeric }) => [code, numeric]));
const currencyCodes = new Map(listedCurrencies.map(({ code, numeric }) => [numeric, code]));

/** A country of two letters, or of three digits as it is; undefined for what is none. */
export const countryNumber = (country: string): string | undefined =>
  knownCountries.has(country) ? country : countryNumbers.get(country.toUpperCase());

/** A currency's three digits; undefined for what is none. */
export const currencyNumber = (code: string): string | undefined => currencyNumbers.get(code);

/** A currency's three letters, given those or its three digits; undefined for what is none. */
export const currencyCode = (text: string): string | undefined => {
  const code = currencyCodes.get(text) ?? text.toUpperCase();
  return currencyNumbers.has(code) ? code : undefined;
};

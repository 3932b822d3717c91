import countries from './country-currency.json' with { type: 'json' };

/** The currency of a country (ISO 3166-1, two letters); if it has several, the one that cards are in. */
const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries(countries).flatMap(([currency, codes]) => codes.split(' ').map((code) => [code, currency])),
);

export const currencyOfCountry = (alpha2: string): string | undefined => currencies.get(alpha2);

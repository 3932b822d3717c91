import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import names from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

/** A country of ISO 3166-1, as `country` lists it. */
export type Country = { alpha2: string; alpha3: string; numeric: string; name: string };

const countryName = (alpha2: string): string => {
  const known: Readonly<Record<string, string | readonly string[]>> = names.countries;
  const name = known[alpha2] ?? alpha2;
  // Where there are several, the first is the usual one.
  return typeof name === 'string' ? name : (name[0] ?? alpha2);
};

/** All countries, by name. */
export const countries: readonly Country[] = codes
  .map(([alpha2 = '', alpha3 = '', numeric = '']) => ({ alpha2, alpha3, numeric, name: countryName(alpha2) }))
  .sort((left, right) => left.name.localeCompare(right.name, 'en'));

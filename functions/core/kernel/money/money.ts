import { currencies, endedCurrencies } from './currencies.ts';

/** An amount in a currency's minor units (cents), never a float. */
export type Money = { minor: bigint; currency: string };

const decimal = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/;

export const decimalWords = 'must be a decimal such as 10.50, without separators, sign or exponent';

/** Checks whether a text is an amount of any currency. */
export const isDecimal = (text: string): boolean => decimal.test(text);

/** Returns a currency's number of decimals by ISO 4217; undefined if it is not a currency, and never was one here. */
export const exponentOf = (currency: string): number | undefined => {
  if (Object.hasOwn(currencies, currency)) return currencies[currency];
  return Object.hasOwn(endedCurrencies, currency) ? endedCurrencies[currency] : undefined;
};

/** Checks whether new amounts may be in a currency: one that has ended is only read. */
export const isCurrency = (code: string): boolean => Object.hasOwn(currencies, code);

/** The decimals of most currencies, where the currency of a text for people is not known. Nothing is booked by it. */
export const usualExponent = 2;

/**
 * Reads an amount as people write it in an API: digits, perhaps a point and decimals; `1e3`, `0x10`, ` 10`, `+1`, `01`
 * and `1,000.00` are not amounts. Returns why not, in words that follow the field's name.
 */
export const parseAmount = (text: string, currency: string): Money | string => {
  const exponent = exponentOf(currency);
  if (exponent === undefined) return 'needs a currency of ISO 4217';
  if (!isDecimal(text)) return decimalWords;
  const [whole = '', decimals = ''] = text.split('.');
  // Shops write `10.00` JPY. `1.000` is a thousand to many people.
  const hasMore = /[1-9]/.test(decimals.slice(exponent)) || (decimals.length === 3 && exponent < 3);
  if (hasMore) return `has more decimals than ${currency} has (${exponent})`;
  return { minor: BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0')), currency };
};

/** An amount without decimals that its currency does not have, where they are all zeros: networks send `500.00` JPY. */
export const withoutZeroFraction = (text: string, currency: string): string => {
  const exponent = exponentOf(currency);
  const [, whole = '', decimals = '', zeros] = exponent === undefined ? [] : (splitAt(exponent).exec(text) ?? []);
  return zeros === undefined ? text : `${whole}${decimals && `.${decimals}`}`;
};

const splitAt = (exponent: number): RegExp => new RegExp(`^(\\d+)\\.(\\d{${exponent}})(0+)$`);

/** Describes the problem of an amount, as far as its currency is known; undefined if there is none. */
export const amountProblem = (text: string, currency: string): string | undefined => {
  if (exponentOf(currency) === undefined) return isDecimal(text) ? undefined : decimalWords;
  const money = parseAmount(text, currency);
  return typeof money === 'string' ? money : undefined;
};

/** Writes an amount with all the decimals of its currency: `10.50`. */
export const formatAmount = ({ minor, currency }: Money): string => {
  const exponent = exponentOf(currency) ?? usualExponent;
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
};

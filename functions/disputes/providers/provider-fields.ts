import * as v from 'valibot';
import { exponentOf, formatAmount, type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { withoutNoise } from '#core/kernel/money/noise.ts';
import { amountProblems, naming } from '#core/kernel/schema/naming.ts';
import { CardFreeAmount } from '#core/kernel/schema/text.ts';

/** Schemas of fields that providers and merchants send about alerts. */

/** A field that may be left out, null or empty, all of which mean that it has no value. */
export const orAbsent = <S extends v.GenericSchema>(schema: S) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (value === null || value === '' ? undefined : value)),
      v.optional(schema),
    ),
  );

/** Digits with perhaps a point; `withAmounts` reads it in its currency. Text, since a JSON number is a float. */
export const ProviderAmountText = v.pipe(
  v.string('must be a decimal as text, such as "10.50"'),
  v.maxLength(32, 'is too long'),
  CardFreeAmount,
);

/** A currency of ISO 4217 by its three letters. */
export const ProviderCurrencyCode = v.pipe(
  v.string('must be a currency code of ISO 4217'),
  v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
);

/** An acquirer reference number. */
export const Arn = v.pipe(v.string('must be 23 digits'), v.regex(/^\d{23}$/, 'must be 23 digits'));

/** Six digits, anything of a number or its mask, four digits; spaces and hyphens between groups. */
export const MaskedCard = v.pipe(
  v.string('must be text'),
  v.transform((text) => text.replace(/[ -]/g, '')),
  v.regex(/^\d{6}[\dxX*.•]{0,15}\d{4}$/, 'must show at least the first 6 and the last 4 digits'),
  v.transform((text) => `${text.slice(0, 6)}xxxxxx${text.slice(-4)}`),
);

/** The beginning of a card's number, of which only six digits are read. */
export const CardBin = v.pipe(
  v.string('must be text'),
  v.regex(/^\d{6,19}$/, 'must be at least 6 digits'),
  v.transform((digits) => digits.slice(0, 6)),
);

/** The end of a card's number, of which only four digits are read. */
export const CardLast4 = v.pipe(
  v.string('must be text'),
  v.regex(/^\d{4,19}$/, 'must be 4 digits'),
  v.transform((digits) => digits.slice(-4)),
);

type Fields = Record<string, unknown>;

/**
 * The same schema of an object, which rewrites amounts in the canonical decimals of their currencies; each pair names an amount's
 * field and its currency's. An amount without its currency is refused, and a wrong one is reported together with all other problems.
 */
export const withAmounts = <S extends v.GenericSchema<unknown, Fields>>(
  schema: S,
  ...pairs: readonly (readonly [keyof v.InferOutput<S> & string, keyof v.InferOutput<S> & string])[]
) =>
  naming(v.pipe(schema, canonicalAmounts<v.InferOutput<S>>(pairs)), (input) => [
    ...amountProblems(trimZeroFractions(input, pairs), pairs),
    ...pairs.flatMap(([amount, currency]) =>
      typeof input[amount] === 'string' && input[amount] !== '' && typeof input[currency] !== 'string'
        ? [{ path: [amount], message: `requires ${currency} as well` }]
        : [],
    ),
  ]);

/** Returns the fields without decimals that are zero and more than a currency has. */
const trimZeroFractions = <F extends Fields>(
  input: F,
  pairs: readonly (readonly [keyof F & string, keyof F & string])[],
): F => ({
  ...input,
  ...Object.fromEntries(
    pairs.flatMap(([amountField, currencyField]) => {
      const [amount, currency] = [input[amountField], input[currencyField]];
      return typeof amount === 'string' && typeof currency === 'string'
        ? [[amountField, withoutZeroFraction(withoutNoise(amount.trim()), currency.trim().toUpperCase())]]
        : [];
    }),
  ),
});

/** Fifteen digits: what a JSON number of any language holds exactly; payments accept no more either. */
const maxMinor = 999_999_999_999_999n;

const readWithin = (text: string, currency: string): Money | string => {
  const money = parseAmount(text, currency);
  return typeof money !== 'string' && money.minor > maxMinor ? 'has more than 15 digits' : money;
};

const canonicalAmounts = <F extends Fields>(pairs: readonly (readonly [keyof F & string, keyof F & string])[]) =>
  v.rawTransform<F, F>(({ dataset, addIssue, NEVER }) => {
    const input = dataset.value;
    const canonical: Fields = {};
    let isWrong = false;
    for (const [amountField, currencyField] of pairs) {
      const [amount, currency] = [input[amountField], input[currencyField]];
      if (typeof amount !== 'string') continue;
      const parsed =
        typeof currency === 'string'
          ? readWithin(withoutZeroFraction(amount, currency), currency)
          : `requires ${currencyField} as well`;
      if (typeof parsed !== 'string') {
        canonical[amountField] = formatAmount(parsed);
        continue;
      }
      isWrong = true;
      addIssue({
        message: parsed,
        path: [{ type: 'object', origin: 'value', input, key: amountField, value: amount }],
      });
    }
    return isWrong ? NEVER : { ...input, ...canonical };
  });

import * as v from 'valibot';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { isObject } from '#core/kernel/is-object.ts';
import { withoutNoise } from '#core/kernel/money/noise.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { allowsCardNumbers, CardMasked } from '#core/kernel/schema/text.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { maskedCard } from './provider-alert.ts';
import { orAbsent, ProviderAmountText, ProviderCurrencyCode } from './provider-fields.ts';

/**
 * Reads providers' fields by their meaning, however they are spelled. A field that only informs is no reason to refuse an alert. If
 * a value is read differently from how it was written, the original is kept as well (see asSentOf).
 */

const SentValue = v.union([v.string(), v.number()], 'must be text');

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u001f\u007f]+/g;

const clean = (value: string | number, longest: number): string => {
  const text = String(value).toWellFormed().replace(controls, ' ').replace(/\s+/g, ' ').trim();
  return [...text].slice(0, longest).join('').trim();
};

/** Text that only informs: without control characters, and cut where it is too long. */
export const Cosmetic = (longest: number) =>
  v.pipe(
    SentValue,
    v.transform((value) => clean(value, longest)),
    CardMasked,
  );

/** The same for fields without which the alert would be useless. */
export const Needed = (longest: number) => v.pipe(Cosmetic(longest), v.minLength(1, 'must not be empty'));

/** The provider's name for a case: never cut, as two cases could become one. */
export const CaseName = v.pipe(
  SentValue,
  v.transform((value) => clean(value, 1000)),
  v.minLength(1, 'must not be empty'),
  v.maxLength(100, 'must have at most 100 characters'),
  allowsCardNumbers('one that looks like a card number is masked and named by a keyed digest at the intake'),
);

/** A field that only informs: anything else than its schema reads is ignored, and kept as it was sent. */
export const Informing = <S extends v.GenericSchema>(schema: S) => v.fallback(orAbsent(schema), undefined);

/** An acquirer's BIN, as text or a number. */
export const AcquirerBin = v.pipe(
  SentValue,
  v.transform((value) => String(value).trim()),
  v.regex(/^\d{6,11}$/, 'must be 6 to 11 digits'),
);

/** An acquirer reference number; one of another length is ignored. */
export const LenientArn = v.pipe(
  SentValue,
  v.transform((value) => String(value).replace(/[\s-]/g, '')),
  v.transform((text) => (/^\d{23}$/.test(text) ? text : '')),
);

export const LenientCurrency = v.pipe(
  v.string('must be a currency code of ISO 4217'),
  v.trim(),
  v.toUpperCase(),
  ProviderCurrencyCode,
);

/** A JSON number loses no digits at amounts of this size; one that was calculated with has digits too many. */
export const LenientAmount = v.pipe(
  v.union([v.string(), v.number()], 'must be a decimal as text, such as "10.50"'),
  v.transform((value) => withoutNoise(String(value).trim())),
  ProviderAmountText,
);

const isBlankValue = (value: unknown): boolean => value === undefined || value === null || value === '';
const blanks = ['', '-', 'n/a', 'na', 'none', 'null', 'unknown'];
const isBlank = (value: unknown): boolean => isBlankValue(value) || blanks.includes(String(value).trim().toLowerCase());

/**
 * A message whose disputed amount can be read if it means the transaction's: without a currency of its own it is in the transaction's, and
 * where it repeats the transaction's amount it needs no currency that can be read. Any other that cannot be read stays and is refused, as it
 * may be a part.
 */
export const completeDisputed = (sent: unknown): unknown => {
  if (!isObject(sent)) return sent;
  const { caseAmount, caseCurrency, transactionAmount, transactionCurrency, ...others } = sent;
  const rest = { ...others, transactionAmount, transactionCurrency };
  if (isBlank(caseAmount)) return rest;
  const isWhole = withoutNoise(String(caseAmount)) === withoutNoise(String(transactionAmount));
  const isRead = v.is(LenientCurrency, caseCurrency);
  if (isBlank(caseCurrency) || (isWhole && !isRead)) return { ...rest, caseAmount, caseCurrency: transactionCurrency };
  return sent;
};

/** A card, or an end of it, without spaces, hyphens and invisible characters. A number of more digits than JSON keeps is no card. */
const CardText = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
  v.transform((value) => (typeof value === 'number' ? String(value).padStart(4, '0') : value)),
  v.transform((text) => text.replace(/[\s\p{Cf}-]/gu, '')),
);

/** The first six digits of a card, whatever follows them, such as a mask; undefined if it shows fewer. */
export const LenientBin = describeField(
  Informing(
    v.pipe(
      CardText,
      v.regex(/^\d{6}/),
      v.transform((text) => text.slice(0, 6)),
    ),
  ),
  'The first six or eight digits of the card number.',
);

/** The last four digits of a card, whatever comes before them. A number has lost its leading zeros. */
export const LenientLast4 = describeField(
  Informing(
    v.pipe(
      CardText,
      v.regex(/\d{4}$/),
      v.transform((text) => text.slice(-4)),
    ),
  ),
  'The last four digits of the card number.',
);

/** Six digits, anything of a number or its mask, four digits. */
export const LenientCard = describeField(
  Informing(
    v.pipe(
      CardText,
      v.regex(/^\d{6}.{0,30}\d{4}$/u),
      v.transform((text) => maskedCard(text.slice(0, 6), text.slice(-4))),
    ),
  ),
  'The card number, masked.',
);

/** The provider's count of its messages about one case; anything else is ignored. */
export const EventSequence = describeField(
  v.fallback(
    orAbsent(
      v.pipe(
        SentValue,
        v.transform((value) => String(value).trim()),
        v.regex(/^\d{1,15}$/),
        v.transform(Number),
      ),
    ),
    undefined,
  ),
  'The provider’s count of its messages about the case: the message with the lower count is the older one.',
);

/** When a provider withdrew a case; one that cannot be read is no reason to refuse the withdrawal. */
export const WithdrawalDate = describeField(
  v.fallback(orAbsent(LenientTime), undefined),
  'When the provider withdrew the case. A withdrawal that is older than the case is ignored.',
);

const longestKept = 500;
const cardFields = ['accountNumber', 'cardBin', 'cardLast4'];

/** The text of a card's field that is no card, with at most its last four digits. */
const withoutDigits = (text: string): string => text.replace(/\d(?=(?:\D*\d){4})/g, 'x');

/** A day, or a time without a zone, is completed with something that it does not say. */
const saysInstant = /T.*(?:Z|[+-]\d\d:?\d\d)$/i;
const isSameTime = (left: string, right: string): boolean =>
  saysInstant.test(left) && Date.parse(left) === Date.parse(right);
const isSameAmount = (left: string, right: string): boolean =>
  right !== '' && /^[\d.]+$/.test(left) && Number(left) === Number(right);

/**
 * The original values that were read differently, by field (`amount.currencyCode`), for people who wonder; masked, and never the
 * card's. Undefined if everything was read as it was written.
 */
export const asSentOf = (sent: unknown, read: unknown): Record<string, string> | undefined => {
  const kept = Object.fromEntries(differences(sent, read, ''));
  return Object.keys(kept).length > 0 ? kept : undefined;
};

const differences = (sent: unknown, read: unknown, path: string): [string, string][] => {
  if (!isObject(sent) || !isObject(read)) return [];
  return Object.entries(sent).flatMap(([name, value]) => {
    if (!Object.hasOwn(read, name) || isBlankValue(value)) return [];
    const taken = read[name];
    if (isObject(value) && isObject(taken)) return differences(value, taken, `${path}${name}.`);
    const isCard = cardFields.includes(name);
    if (isCard && taken !== undefined) return [];
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const [left, right] = [isCard ? withoutDigits(text) : text, String(taken ?? '')];
    if (left === right || maskCardNumbers(left) === right || isSameTime(left, right) || isSameAmount(left, right))
      return [];
    return [[`${path}${name}`, redactText(left.toWellFormed()).slice(0, longestKept)]];
  });
};

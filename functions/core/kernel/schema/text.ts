import * as v from 'valibot';
import { holdsCardNumber, maskCardNumbers, shortestIssued } from '../card/card-numbers.ts';

/**
 * Text on the wire. People put card numbers into any field, where they would be stored, echoed and passed on: each of these types refuses
 * or masks them, unless the field says why it accepts digits of that shape.
 */

const cardWords = 'must not hold a card number';

/** Refuses text with a card number. For fields that use none of the types below. */
export const CardFree = v.check((text: string) => !holdsCardNumber(text), cardWords);

const holdsCardAnywhere = (value: unknown): boolean => {
  if (typeof value === 'string' || typeof value === 'number') return holdsCardNumber(String(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, one]) => holdsCardNumber(name) || holdsCardAnywhere(one));
};

/** The same for values of any shape, such as the conditions of a rule: names, texts and numbers at any depth. */
export const CardFreeValue = <T>(): v.CheckAction<T, string> =>
  v.check((value: T) => !holdsCardAnywhere(value), cardWords);

/** The same for decimals, whose digits before and after the point are read as one number. */
export const CardFreeAmount = v.check((text: string) => !holdsCardNumber(text, shortestIssued), cardWords);

/** Refuses values of any shape whose JSON is longer: what is not read field by field has a greatest length as a whole. */
export const AtMost = <T>(longest: number): v.CheckAction<T, string> =>
  v.check((value: T) => (JSON.stringify(value)?.length ?? 0) <= longest, `must have at most ${longest} characters`);

/** Masks card numbers in place of refusing them: for messages that must not be lost. */
export const CardMasked = v.transform(maskCardNumbers);

/** States why a field accepts digits that look like a card number. */
export const allowsCardNumbers = <T>(reason: string): v.MetadataAction<T, { readonly allowsCardNumbers: string }> =>
  v.metadata({ allowsCardNumbers: reason });

/** JSON can spell half of a surrogate pair (`"\\ud800"`), which has no UTF-8 form: the table and the queues refuse it. */
export const WellFormed = v.check((text: string) => text.isWellFormed(), 'must be well-formed Unicode');

/** Text of another service that is sent back to it as it is, and not stored, such as a code. `source`: the service, as in “the processor”. */
export const PassedOnText = (longest: number, source: string) =>
  v.pipe(
    v.string('must be text'),
    v.nonEmpty('must not be empty'),
    v.maxLength(longest, `must have at most ${longest} characters`),
    WellFormed,
    allowsCardNumbers(`a text of ${source}, which is not stored`),
  );

/**
 * Control characters, which end a line or hide what follows, and characters that override the direction of text, by which a name
 * reads as another one on a screen (UAX #9: embeddings, overrides, isolates). Marks of right-to-left scripts are text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const plainLine = /^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/;
/** The same for text of several lines, which may also have tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const plainText = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;

/** Refuses card numbers unless the text has a given form. */
export const cardFreeExcept = (shape: RegExp) =>
  v.check((text: string) => shape.test(text) || !holdsCardNumber(text), cardWords);

// A single pipe, because the API document reads only the outermost one.
const textSchema = (
  longest: number,
  allowed: RegExp,
  words: string,
  cards: typeof CardFree | typeof CardMasked = CardFree,
) =>
  v.pipe(
    v.string('must be text'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(longest, `must have at most ${longest} characters`),
    v.regex(allowed, words),
    WellFormed,
    cards,
  );

const lineWords = 'must be a single line, without control characters or characters that change the text direction';
const linesWords = 'must not contain control characters or characters that change the text direction';

/** One line of text, such as a name or a reference, trimmed, of 1 to `longest` characters. */
export const Text = (longest: number) => textSchema(longest, plainLine, lineWords);

/** Text of one or more lines, such as a comment or an address. */
export const LongText = (longest: number) => textSchema(longest, plainText, linesWords);

/** The same, but card numbers are masked: for remarks about an alert, whose answer is not refused for them. */
export const MaskedText = (longest: number) => textSchema(longest, plainText, linesWords, CardMasked);

/** The same of one line, for what providers send and ask. */
export const MaskedLine = (longest: number) => textSchema(longest, plainLine, lineWords, CardMasked);

/** The same as `Text` for a field that gives the reason why it accepts text of a `shape` that looks like a card number. */
Text.allowing = (reason: string, longest: number, shape: RegExp) =>
  v.pipe(textSchema(longest, plainLine, lineWords, cardFreeExcept(shape)), allowsCardNumbers(reason));

/** Characters that a line must not have, as `plainLine` has it: those that only change the direction, and those that end or hide something. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Text that callers may send as a JSON number. */
export const AsText = v.pipe(
  v.union([v.string(), v.number()], 'must be text or a number'),
  v.transform((value) => String(value).trim()),
);

/** Marks a schema that shortens or normalizes text in place of refusing it: the reply's `warnings` name the field. */
export const rewritesText = <T>() => v.metadata<T, { readonly rewritesText: true }>({ rewritesText: true });

/** The first characters of a text, without half of a surrogate pair at its end. */
const cut = (text: string, longest: number): string =>
  text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();

/**
 * One line of text about a payer or an item, which shops pass on as it was typed or pasted: a telephone number from a list of contacts has
 * direction marks, a product title line breaks. A sale is not refused for them, nor for its length: marks are removed, line breaks become a
 * space, and what is longer is cut.
 */
export const PastedText = (longest: number, cards = CardFree) =>
  v.pipe(
    v.string('must be text'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.transform((text) => text.toWellFormed().replace(directionMarks, '').replace(controls, ' ').trim()),
    v.minLength(1, 'must not be empty'),
    cards,
    v.transform((text) => cut(text, longest)),
    rewritesText(),
  );

/** The same of what callers may send as a JSON number. */
export const PastedNumber = (longest: number, cards = CardFree) => v.pipe(AsText, PastedText(longest, cards));

/** `PastedText` for a field that states why it accepts digits of a card number's shape. */
PastedText.allowing = (reason: string, longest: number, shape: RegExp) =>
  v.pipe(PastedText(longest, cardFreeExcept(shape)), allowsCardNumbers(reason));

/** Text of any form, such as a token or an address. The field adds its own checks. */
export const AnyText = v.pipe(v.string('must be text'), WellFormed, CardFree);

/** The same without card numbers. */
export const TextOrNumber = v.pipe(AsText, WellFormed, CardFree);

const orEmpty = <const S extends v.GenericSchema<string, string>>(schema: S) =>
  v.optional(
    v.union(
      [
        v.pipe(
          v.literal(''),
          v.transform(() => ''),
        ),
        schema,
      ],
      'must be text',
    ),
  );

/** The same as `Text`, and may be empty. */
export const OptionalText = (longest: number) => orEmpty(Text(longest));

/** The same as `LongText`, and may be empty. */
export const OptionalLongText = (longest: number) => orEmpty(LongText(longest));

/** The same as `MaskedText`, and may be empty. */
export const OptionalMaskedText = (longest: number) => orEmpty(MaskedText(longest));

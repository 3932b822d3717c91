import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { isObject } from '#core/kernel/is-object.ts';

/**
 * Replies as agents read them. A text that is not a word of the interface, a number, a time or an identifier may have been written outside of
 * the service: descriptors, comments, notes, replies of endpoints. It is wrapped as `{"untrusted_text": "…"}`, shortened, and loses
 * characters that hide text.
 */

type Limits = { characters: number; entries: number };
const usual: Limits = { characters: 2000, entries: 100 };
const tight: Limits = { characters: 300, entries: 20 };
/** The longest reply, in characters of JSON. */
const maxReplyCharacters = 100_000;
const maxDepth = 16;
const maxNameCharacters = 60;

/** Decimals, days and times, currencies, masked cards, reason codes, numbers of deliveries and connections, digests. */
const machineMade =
  /^(?:-?\d{1,20}(?:\.\d{1,10})?|\d{4}-\d\d(?:-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))?)?|[A-Z]{3}|\d{6}[*x]+\d{4}|[a-z]{2,4}_[0-9a-z]{8,32}|[0-9a-f]{32})?$/;
/** Control characters, overrides of the direction of text (UAX #9), and characters that are not seen, tags among them. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]+/gu;

const clean = (text: string): string => maskCardNumbers(text.replace(hidden, ' '));

const shorten = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()} … (${text.length - limit} more characters)`;

type Words = ReadonlySet<string>;

const markText = (text: string, words: Words, limits: Limits): unknown => {
  const kept = clean(text);
  return machineMade.test(kept) || words.has(kept) ? kept : { untrusted_text: shorten(kept, limits.characters) };
};

/** The name of a field. Some are chosen outside, such as those of a merchant's own details. */
const markName = (name: string, words: Words): string =>
  words.has(name) ? name : `untrusted_name: ${shorten(clean(name), maxNameCharacters)}`;

/** Texts of the service itself at the top of a reply: what happened, and which state of a list was read. */
const ownTexts: ReadonlySet<string> = new Set(['msg', 'revision', 'next_cursor']);

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (isObject(value) && Object.keys(value).length === 0);

/** Fields without a value are left out: they are most of a list. */
const mark = (value: unknown, words: Words, limits: Limits, depth = 0): unknown => {
  if (typeof value === 'string') return markText(value, words, limits);
  if (!isObject(value)) return value;
  if (depth >= maxDepth) return { omitted: 'too deep' };
  if (Array.isArray(value)) {
    const kept = value.slice(0, limits.entries).map((one) => mark(one, words, limits, depth + 1));
    return value.length > kept.length ? [...kept, { omitted_entries: value.length - kept.length }] : kept;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([name, one]) => [
        markName(name, words),
        depth === 0 && ownTexts.has(name) && typeof one === 'string'
          ? shorten(clean(one), limits.characters)
          : mark(one, words, limits, depth + 1),
      ]),
  );
};

/**
 * Returns a reply as JSON with text from outside marked and shortened; shorter still if it would be too long otherwise. `words`: those of the
 * interface, which are left as they are.
 */
export const markedJson = (reply: unknown, words: readonly string[]): string => {
  const known = new Set(words);
  for (const limits of [usual, tight]) {
    const text = JSON.stringify(mark(reply, known, limits)) ?? 'null';
    if (text.length <= maxReplyCharacters) return text;
  }
  return JSON.stringify({ omitted: 'The reply is too long. Ask for less, such as a smaller size or one site.' });
};

/** Returns the fields of a reply that have one value, as JSON with text from outside marked. */
export const markedSummary = (reply: unknown, words: readonly string[]): string => {
  const fields = Object.entries(isObject(reply) ? reply : {}).filter(([, value]) => !isObject(value));
  return markedJson(Object.fromEntries(fields), words);
};

import * as v from 'valibot';
import { count, describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { holdsCardNumber } from '../card/card-numbers.ts';
import { AnyText } from './text.ts';

/** Building blocks of the areas' schemas: values on the wire, and the messages about wrong ones. */

/** Checks whether a number may be one of those that `newTimedId` draws: cards that begin with a 1 have other lengths. */
const isTimedId = (id: number): boolean => id >= 1e15 && id < 2e15;

const wordsOfId = 'must be a whole number above 0';

/** A positive whole number as a JSON number or as digits (forms and paths have only text). */
export const Id = v.pipe(
  v.union(
    [
      v.pipe(v.number(wordsOfId), v.integer(wordsOfId), v.minValue(1, wordsOfId)),
      v.pipe(v.string(wordsOfId), v.regex(/^[1-9]\d{0,15}$/, wordsOfId)),
    ],
    wordsOfId,
  ),
  v.transform(Number),
  v.safeInteger(wordsOfId),
  v.check((id) => isTimedId(id) || !holdsCardNumber(String(id)), 'must not hold a card number'),
);

/** The same object schema, which also refuses lists: valibot accepts a list as an empty object. */
export const NoList = <const S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.unknown(),
    v.transform((value): unknown => (Array.isArray(value) ? null : value)),
    schema,
  );

/** An object inside another. */
export const Nested = <const E extends v.ObjectEntries>(entries: E, words = 'must be an object') =>
  NoList(v.object(entries, words));

/**
 * A filter that a form may send: a field left blank comes as empty text, alone or in a list, and counts as
 * absent.
 */
export const FormFields = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(v.unknown(), v.transform(withoutEmpty), v.object(entries));

const withoutEmpty = (fields: unknown): unknown =>
  typeof fields !== 'object' || fields === null
    ? fields
    : Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          if (value === '') return [];
          if (!Array.isArray(value) || !value.includes('')) return [[name, value]];
          const filled = value.filter((one) => one !== '');
          return filled.length === 0 ? [] : [[name, filled]];
        }),
      );

/** A whole number from `least` to `most`, as a number or as digits. */
export const WholeNumber = (least: number, most: number) =>
  v.pipe(
    v.union([v.number(), v.string()], `must be a whole number from ${least} to ${most}`),
    v.check((value) => /^-?\d{1,15}$/.test(String(value)), `must be a whole number from ${least} to ${most}`),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

/** true or false, in the spellings that JSON and forms have for it. */
export const Flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false', '1', '0', 1, 0])], 'must be true or false'),
  v.transform((value) => value === true || value === 'true' || value === '1' || value === 1),
);

/** ISO 8601 with a zone; answers it in UTC with milliseconds. */
export const Timestamp = v.pipe(
  v.string('must be an ISO 8601 date and time with zone'),
  v.regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/,
    'must be an ISO 8601 date and time with zone, such as 2026-05-02T10:00:00Z',
  ),
  v.check(
    (text) => isRealDate(text.slice(0, 10)) && isStorable(Date.parse(text)),
    'is not a date and time that exists',
  ),
  v.transform((text) => new Date(text).toISOString()),
);

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Checks whether a time (milliseconds) has a four-digit year in UTC: only such times sort as text. False for NaN. */
const isStorable = (time: number): boolean => time >= earliest && time <= latest;

/** The ISO time of the first instant after a range, at most the last one that can be written. */
const endIso = (time: number): string => new Date(Math.min(time, latest)).toISOString();

/** Date.parse accepts 30 February as 2 March; this does not. */
const isRealDate = (day: string): boolean => {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
};

const wordsOfDay = 'must be a day, YYYY-MM-DD';

/** A day in UTC. */
export const Day = v.pipe(
  v.string(wordsOfDay),
  v.regex(/^\d{4}-\d\d-\d\d$/, wordsOfDay),
  v.check(isRealDate, 'must be a day that exists'),
);

/** Checks that a span of days, both included, does not end before it begins, and has at most so many days. */
export const spanOfDays = <T extends { from: string; to: string }>(maxDays: number) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    const { from, to } = dataset.value;
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (days >= 1 && days <= maxDays) return;
    const message = days < 1 ? 'must not be before from' : `must be less than ${maxDays} days after from`;
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: { ...dataset.value }, key: 'to', value: to }],
    });
  });

/** A day, YYYY-MM-DD, or a full time; answers the first instant of the day or that time, ISO in UTC. */
export const FromTime = v.union(
  [
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/),
      v.check(isRealDate),
      v.transform((day) => `${day}T00:00:00.000Z`),
    ),
    Timestamp,
  ],
  'must be YYYY-MM-DD or an ISO 8601 date and time with zone',
);

/** The same as the end of a range, which includes the whole day. Returns the first instant after it. */
export const ToTime = v.union(
  [
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/),
      v.check(isRealDate),
      v.transform((day) => endIso(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000)),
    ),
    v.pipe(
      Timestamp,
      v.transform((time) => endIso(Date.parse(time) + 1)),
    ),
  ],
  'must be YYYY-MM-DD or an ISO 8601 date and time with zone',
);

/** One of several values, alone or as a list without duplicates; returns a list. */
export const OneOrMore = <const V extends readonly string[]>(values: V) => {
  const one = v.picklist(values, `must be one of ${values.join(', ')}`);
  return v.pipe(
    v.union(
      [
        v.pipe(
          one,
          v.transform((value) => [value]),
        ),
        v.pipe(v.array(one), v.minLength(1, `must be one of ${values.join(', ')}`)),
      ],
      `must be one of ${values.join(', ')}`,
    ),
    v.transform((list) => [...new Set(list)]),
  );
};

const maxIds = 20;

/** One id, or a list of ids without duplicates. */
export const Ids = v.pipe(
  v.union(
    [
      v.pipe(
        Id,
        v.transform((id) => [id]),
      ),
      v.array(Id),
    ],
    'must be an id or a list of ids',
  ),
  v.transform((ids) => [...new Set(ids)]),
  v.maxLength(maxIds, `must have at most ${maxIds} ids`),
);

/** The fields by which every list is paged. Spread into a body's schema. */
export const pageFields = {
  size: describeField(v.optional(WholeNumber(1, 500), 50), 'How many to return at most.'),
  offset: describeField(v.optional(WholeNumber(0, 1_000_000)), 'How many to skip at the beginning; prefer `cursor`.'),
  cursor: describeField(
    v.optional(v.pipe(AnyText, v.maxLength(200, 'is not a valid cursor'))),
    'Where the page begins: `next_cursor` of the previous page, with the same filters.',
  ),
  order: describeField(
    v.optional(
      v.pipe(v.string('must be ASC or DESC'), v.toUpperCase(), v.picklist(['ASC', 'DESC'], 'must be ASC or DESC')),
      'DESC',
    ),
    '`desc`: the newest first; `asc`: the oldest.',
  ),
} as const;

/** The reply of every list. */
export const pageReply = <S extends v.GenericSchema>(item: S) =>
  v.object({
    list: describeField(v.array(item), 'One page, the newest first unless `order` says otherwise.'),
    totalResult: count('How many match the filters, on all pages.'),
    next_cursor: nullableText('Send it back as `cursor` for the next page; null on the last.'),
  });

/** `{status: "ok"}`. */
export const Ok = v.object({ status: describeField(v.literal('ok'), '`ok` when it is done.') });

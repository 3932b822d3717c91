import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import {
  Day,
  FromTime,
  Id,
  Nested,
  OneOrMore,
  pageFields,
  spanOfDays,
  Timestamp,
  ToTime,
} from '#core/kernel/schema/schema.ts';
import { LongText, PastedText, Text } from '#core/kernel/schema/text.ts';
import { decodeCursor, encodeCursor } from '#core/platform/lists/cursor.ts';

const takes = (schema: v.GenericSchema, input: unknown) => v.safeParse(schema, input).success;
const made = (schema: v.GenericSchema, input: unknown) => v.parse(schema, input);

describe('an identifier', () => {
  it.each([1, '1', 9007199254740991, '1029384756102938'])('may be %j', (id) => expect(made(Id, id)).toBe(Number(id)));
  it.each([0, -1, 1.5, '', '01', '1e3', ' 1', '0x1', '9007199254740993', null, true, [1]])('may not be %j', (id) =>
    expect(takes(Id, id)).toBe(false),
  );
});

describe('an object inside another', () => {
  const schema = v.object({
    inner: v.optional(Nested({ n: v.optional(v.number()) })),
    many: v.optional(v.array(Nested({}))),
  });
  it.each([{}, { inner: {} }, { inner: { n: 1 } }, { many: [{}] }])('may be %j', (value) =>
    expect(made(schema, value)).toEqual(value),
  );
  it.each([{ inner: [] }, { inner: [{ n: 1 }] }, { inner: 'n' }, { inner: null }, { many: [[]] }])(
    'may not be %j',
    (value) => expect(v.safeParse(schema, value).issues?.map(({ message }) => message)).toEqual(['must be an object']),
  );
});

describe('a timestamp', () => {
  it.each([
    ['2026-05-02T10:00:00Z', '2026-05-02T10:00:00.000Z'],
    ['2026-05-02T10:00:00.5+02:00', '2026-05-02T08:00:00.500Z'],
    ['2026-05-02T10:00Z', '2026-05-02T10:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, utc) => expect(made(Timestamp, text)).toBe(utc));

  it.each([
    '2026-05-02',
    '2026-05-02T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-02T25:00:00Z',
    '9999-12-31T23:00:00-02:00',
    '0000-01-01T00:00:00+01:00',
    'now',
    5,
  ])('is not %j', (text) => expect(takes(Timestamp, text)).toBe(false));
});

describe('a range of days', () => {
  it('begins with its first instant and ends with its last', () => {
    expect(made(FromTime, '2026-05-02')).toBe('2026-05-02T00:00:00.000Z');
    expect(made(ToTime, '2026-05-02')).toBe('2026-05-03T00:00:00.000Z');
    expect(made(ToTime, '2026-05-02T10:00:00Z')).toBe('2026-05-02T10:00:00.001Z');
    expect(takes(ToTime, '2026-02-30')).toBe(false);
  });

  it('may end with the last day there is, which sorts behind every other time', () => {
    const ends = ['9999-12-31', '9999-12-31T23:59:59.999Z'].map((text) => made(ToTime, text));
    for (const end of ends) expect(String(end) > '9999-12-31T23:59:59.998Z').toBe(true);
  });
});

describe('a span of days', () => {
  const schema = v.pipe(v.object({ from: Day, to: Day }), spanOfDays(10));
  const said = (from: string, to: string) =>
    v.safeParse(schema, { from, to }).issues?.map(({ path, message }) => [path?.[0].key, message]);

  it('has both its ends, and at most so many days', () => {
    expect(said('2026-02-20', '2026-03-01')).toBeUndefined();
    expect(said('2026-02-20', '2026-02-20')).toBeUndefined();
    expect(said('2026-02-20', '2026-03-02')).toEqual([['to', 'must be less than 10 days after from']]);
    expect(said('2026-02-20', '2026-02-19')).toEqual([['to', 'must not be before from']]);
  });

  it('consists of days that exist', () => {
    expect(said('2026-02-30', '2026-03-01')).toEqual([['from', 'must be a day that exists']]);
    expect(said('yesterday', '2026-03-01')).toContainEqual(['from', 'must be a day, YYYY-MM-DD']);
  });
});

describe('text', () => {
  it('is trimmed, has a length and no control characters', () => {
    expect(made(Text(3), ' abc ')).toBe('abc');
    expect(takes(Text(3), 'abcd')).toBe(false);
    expect(takes(Text(3), ' ')).toBe(false);
    expect(takes(Text(9), 'a\u0000b')).toBe(false);
    expect(takes(Text(9), 'a\ud800b')).toBe(false);
    expect(made(Text(9), 'a\u{1f600}b')).toBe('a\u{1f600}b');
  });

  it.each(['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u009b', '\u202a', '\u202e', '\u2066', '\u2069'])(
    'has no %j, in one line or several',
    (character) => {
      expect(takes(Text(9), `a${character}b`)).toBe(false);
      expect(takes(LongText(9), `a${character}b`)).toBe(false);
    },
  );

  it.each(['\t', '\n', '\r\n', '\u2028', '\u2029'])('has %j only where it may have several lines', (character) => {
    expect(takes(Text(9), `a${character}b`)).toBe(false);
    expect(takes(LongText(9), `a${character}b`)).toBe(true);
  });

  it('may be of any script, with the marks that right-to-left scripts need', () => {
    for (const text of ['متجر', 'חנות', 'a\u200fb', 'a\u200db']) expect(takes(Text(9), text)).toBe(true);
  });
});

it('takes one value or a list of them, and drops doubles', () => {
  const schema = OneOrMore(['A', 'B']);
  expect(made(schema, 'A')).toEqual(['A']);
  expect(made(schema, ['A', 'B', 'A'])).toEqual(['A', 'B']);
  expect(takes(schema, ['A', 'C'])).toBe(false);
  expect(v.safeParse(schema, []).issues?.[0].message).toBe('must be one of A, B');
});

it('keeps the text of a number that JSON would change', () => {
  const read = (text: string) => JSON.parse(text, keepNumberText);
  expect(read('[123456789012345.678,-0,-0.0,0,0.10,-0.5]')).toEqual([
    '123456789012345.678',
    '-0',
    '-0.0',
    0,
    0.1,
    -0.5,
  ]);
  expect(read('{"a":6212345678901234567,"b":1e3,"c":10.5,"d":-3,"e":12345678901234567890}')).toEqual({
    a: '6212345678901234567',
    b: '1e3',
    c: 10.5,
    d: -3,
    e: '12345678901234567890',
  });
});

describe('a cursor', () => {
  it('reads back what it was made of', () => {
    expect(decodeCursor(encodeCursor('2026-05-02T10:00:00.000Z#1029384756102938'))).toBe(
      '2026-05-02T10:00:00.000Z#1029384756102938',
    );
  });
  it.each(['', 'abc', encodeCursor('~'), encodeCursor('2026-05-02T10:00:00.000Z#'), '%%%'])(
    'is refused when it is %j',
    (text) => expect(() => decodeCursor(text)).toThrow('use the next_cursor'),
  );
});

it('takes the order of a list in small letters too', () => {
  const order = (sent?: unknown) => v.safeParse(pageFields.order, sent);
  expect([order('asc').output, order('Desc').output, order().output]).toEqual(['ASC', 'DESC', 'DESC']);
  for (const wrong of ['up', '', 1, null]) expect(order(wrong).issues?.[0].message).toBe('must be ASC or DESC');
});

describe('pasted text', () => {
  const read = (text: string) => v.safeParse(PastedText(20), text);

  it('loses what changes its direction, and has a space for line breaks and tabs', () => {
    expect(read('\u202a+49 30 1234\u202c').output).toBe('+49 30 1234');
    expect(read(' Tea\r\n\tgreen\u2028').output).toBe('Tea green');
    expect(read('\u2066Ann\u2069').output).toBe('Ann');
  });

  it('is cut to its length, and refused only where nothing is left or a card number is in it', () => {
    expect(read('\u2066\u2069').success).toBe(false);
    expect(read('x'.repeat(21)).output).toBe('x'.repeat(20));
    expect(read('half \ud800').output).toBe('half \ufffd');
    expect(read('x'.repeat(18) + ' 4242424242424242').success).toBe(false);
  });
});

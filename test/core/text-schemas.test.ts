import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from '#core/platform/http/parse.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { declaredFields } from '#test/support/declared-fields.ts';

/** Half of a surrogate pair, which JSON can spell and the table refuses, in every field of every operation. */

const fields = (operations as readonly Operation[]).flatMap(({ area, name, params, body }) =>
  [...declaredFields(params), ...declaredFields(body)].map(({ path, schema }) => ({
    name: `${area}/${name} ${path}`,
    schema,
  })),
);

const half = '\ud800';
const texts = [half, `a${half}`, '\udc00b', `https://shop.example/${half}`, `a${half}@shop.example`, `1${half}`];

/** Whether a field lets half of a pair through, as text, in a list, or in an object as a value or a name. */
const letsThrough = (schema: v.GenericSchema): boolean =>
  texts
    .flatMap((text) => [text, [text], { a: text }, { [text]: 1 }, { all: [{ a: [text] }] }])
    .some((value) => {
      try {
        // A well-formed JSON.stringify spells halves as escapes.
        return /\\ud[89a-f]/.test(JSON.stringify(parse(schema, value)) ?? '');
      } catch {
        return false;
      }
    });

it('is refused or replaced in every field', () => {
  expect(fields.length).toBeGreaterThan(500);
  expect(fields.filter(({ schema }) => letsThrough(schema)).map(({ name }) => name)).toEqual([]);
});

/** More than any field may have: the gateway takes bodies of ten megabytes, and a row of the table has 400 KB. */
const tooLong = 250_000;
const long = 'a'.repeat(tooLong);
const longTexts = [
  long,
  `https://shop.example/${long}`,
  `${long}@shop.example`,
  '1'.repeat(tooLong),
  'A'.repeat(tooLong),
];

const isUnbounded = (schema: v.GenericSchema): boolean =>
  longTexts
    .flatMap((text) => [text, [text], { a: text }])
    .some((value) => {
      try {
        return (JSON.stringify(parse(schema, value))?.length ?? 0) >= tooLong;
      } catch {
        return false;
      }
    });

it('has a greatest length in every field', () =>
  expect(fields.filter(({ schema }) => isUnbounded(schema)).map(({ name }) => name)).toEqual([]));

describe('a refusal of half of a surrogate pair', () => {
  const Body = v.object({ a: v.optional(v.string()), list: v.optional(v.unknown()) });
  it.each([
    [{ a: half }, /^a: must be well-formed/],
    [{ list: [{ b: `x${half}` }] }, /^list\.0\.b: must be well-formed/],
    [{ list: { [half]: 1 } }, /^list: must be well-formed/],
  ])('names the field: %#', (body, words) => {
    expect(() => parse(Body, body)).toThrow(
      expect.objectContaining({ code: 'request_invalid', details: expect.stringMatching(words) }),
    );
  });

  it('does not concern whole pairs', () => expect(parse(Body, { a: '😀' })).toEqual({ a: '😀' }));
});

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { FormFields, Nested } from '#core/kernel/schema/schema.ts';
import { unknownFields } from '#core/platform/http/unknown-fields.ts';

const schema = v.object({
  name: v.optional(v.pipe(v.string(), v.minLength(1))),
  inner: v.nullish(Nested({ a: v.number() })),
  list: v.optional(v.array(v.object({ b: v.string() }))),
  any: v.optional(v.record(v.string(), v.unknown())),
  loose: v.optional(v.looseObject({ c: v.string() })),
  either: v.optional(v.union([v.string(), v.object({ d: v.string() }), v.object({ e: v.string() })])),
  many: v.optional(v.union([v.number(), v.array(v.object({ f: v.string() }))])),
});

describe('fields that a schema does not name', () => {
  it.each([
    [{ name: 'x' }, []],
    [{ nmae: 'x' }, ['nmae']],
    [{ inner: { a: 1, z: 2 } }, ['inner.z']],
    [{ inner: null }, []],
    [{ list: [{ b: 'x' }, { b: 'x', z: 1 }] }, ['list.1.z']],
    [{ any: { z: { y: 1 } } }, []],
    [{ loose: { z: 1 } }, []],
    [{ either: 'x' }, []],
    [{ either: { d: 'x' } }, []],
    [{ either: { e: 'x', z: 1 } }, ['either.z']],
    [{ many: [{ f: 'x', z: 1 }] }, ['many.0.z']],
    [{ constructor: 1, toString: 2 }, ['constructor', 'toString']],
    ['no object', []],
  ])('of %j are %j', (value, names) => {
    expect(unknownFields(schema, value)).toEqual(names);
  });

  it('are found behind what only forgives spellings', () => {
    expect(unknownFields(FormFields({ size: v.optional(v.string()) }), { size: '', sise: '' })).toEqual(['sise']);
    expect(
      unknownFields(
        v.pipe(
          schema,
          v.check(() => true),
        ),
        { z: 1 },
      ),
    ).toEqual(['z']);
  });
});

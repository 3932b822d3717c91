import * as v from 'valibot';

/** The fields of one type in the shape of a row: `...texts('mid', 'name')` in place of a line for each. */

const fieldsLike =
  <const S extends v.GenericSchema>(schema: S) =>
  <const Name extends string>(...names: readonly Name[]): Readonly<Record<Name, S>> =>
    Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>;

export const texts = fieldsLike(v.string());
export const numbers = fieldsLike(v.number());
export const flags = fieldsLike(v.boolean());
export const textLists = fieldsLike(v.array(v.string()));
export const nullableTexts = fieldsLike(v.nullable(v.string()));
export const nullableNumbers = fieldsLike(v.nullable(v.number()));
/** Optional ones may be absent, and are not undefined. */
export const optionalTexts = fieldsLike(v.exactOptional(v.string()));
export const optionalNumbers = fieldsLike(v.exactOptional(v.number()));

import * as v from 'valibot';

/** Schemas of fields with the words by which the API document describes them. */

export const describeField = <const S extends v.GenericSchema>(schema: S, words: string) =>
  v.pipe(schema, v.description(words));

export const text = (words: string) => describeField(v.string(), words);
export const flag = (words: string) => describeField(v.boolean(), words);
/** A number of things, or of units that the words name. */
export const count = (words: string) => describeField(v.number(), words);
export const nullableText = (words: string) => describeField(v.nullable(v.string()), words);
export const nullableCount = (words: string) => describeField(v.nullable(v.number()), words);

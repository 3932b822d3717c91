import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { plainLine, plainText } from '#core/kernel/schema/text.ts';

type Json = Record<string, unknown>;

/** Returns the JSON schema of a schema's input or output; checks that JSON Schema has no words for are left out. */
export const toSchema = (schema: v.GenericSchema, typeMode: 'input' | 'output'): Json => {
  const { $schema, ...rest } = toJsonSchema(typeMode === 'input' ? behind(schema) : schema, {
    typeMode,
    errorMode: 'ignore',
    // Says that there may be more than it names.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : undefined,
  });
  return tidyFields({ ...rest });
};

/** That text has no control characters goes without saying; a pattern that says so at every field hides those that tell something. */
const plainPatterns: readonly unknown[] = [plainLine.source, plainText.source];
const tidy = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(tidy);
  return isObject(schema) ? tidyFields(schema) : schema;
};
const marks: readonly string[] = ['allowsCardNumbers', 'rewritesText'];
const tidyFields = (schema: Json): Json => {
  const kept = Object.entries(schema).filter(
    // Why a field accepts digits, and that its text is rewritten, is for those who work on the service.
    ([name, value]) => !marks.includes(name) && (name !== 'pattern' || !plainPatterns.includes(value)),
  );
  return describedOutside(Object.fromEntries(kept.map(([name, value]) => [name, tidy(value)])));
};

/** Moves the description of a schema that may be null next to the choice, where readers of a field look for it. */
const describedOutside = (schema: Json): Json => {
  const [first, second, ...others] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  if (!isObject(first) || !isObject(second) || second['type'] !== 'null' || others.length > 0) return schema;
  const { description, ...inner } = first;
  return description === undefined ? schema : { description, ...schema, anyOf: [inner, second] };
};

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/**
 * Returns the schema with every pipe that accepts anything, and passes its result to another schema, replaced by that one: such a pipe only
 * forgives spellings (null or empty for absent), which need no mention at every field.
 */
const behind = <S>(schema: S): S => {
  if (Array.isArray(schema)) return schema.map((one) => behind(one)) as S;
  if (!isSchema(schema)) return schema;
  const { type, pipe, entries, item, wrapped, options } = schema as v.GenericSchema & Record<string, unknown>;
  const [first, ...added]: unknown[] = Array.isArray(pipe) ? pipe : [];
  // Descriptions first: what is behind a transformation says nothing of an input.
  const others = [...added.filter(isDescription), ...added.filter((one) => !isDescription(one))];
  // A description alone changes nothing of what it describes.
  if (isSchema(first) && 'pipe' in first && others.every(isDescription)) {
    const described = behind(first) as typeof first & { pipe?: unknown[] };
    const [start, ...rest] = described.pipe ?? [described];
    return { ...described, pipe: [start, ...others, ...rest.filter((item) => !isDescription(item))] } as S;
  }
  // A pipe that was piped further: what is checked later is checked of what the first one makes.
  if (isSchema(first) && 'pipe' in first && others.length > 0 && type === 'unknown') {
    const made = behind(first);
    return { ...made, pipe: [made, ...others] } as S;
  }
  const inner = type === 'unknown' ? others.find(isSchema) : undefined;
  // One that may be left out there may be null here: that is what such a pipe forgives.
  if (inner) return (inner.type === 'optional' ? v.nullable(behind(unwrap(inner))) : behind(inner)) as S;
  return {
    ...schema,
    ...(Array.isArray(pipe) && {
      pipe: [behind({ ...schema, pipe: undefined }), ...others].map(withoutEmptyPipe),
    }),
    ...(isObject(entries) && {
      entries: Object.fromEntries(Object.entries(entries).map(([key, one]) => [key, behind(one)])),
    }),
    ...(isSchema(item) && { item: behind(item) }),
    ...(isSchema(wrapped) && { wrapped: behind(wrapped) }),
    ...(Array.isArray(options) && { options: options.map((one) => behind(one)) }),
  };
};

const isDescription = (item: unknown): boolean => isObject(item) && item['kind'] === 'metadata';

const unwrap = (schema: v.GenericSchema): v.GenericSchema =>
  'wrapped' in schema && isSchema(schema.wrapped) ? schema.wrapped : schema;

const withoutEmptyPipe = (one: unknown): unknown => {
  if (!isObject(one) || one['pipe'] !== undefined) return one;
  const { pipe, ...rest } = one;
  return rest;
};

/** Returns the object under a name in another; an empty one where there is none. */
export const fieldsIn = (holder: unknown, name: string): Json => {
  const found = isObject(holder) ? holder[name] : undefined;
  return isObject(found) ? found : {};
};

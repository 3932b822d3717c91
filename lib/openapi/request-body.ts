import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { fieldsIn, toSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

const mediaType = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

const isForm = (type: string): boolean => type !== mediaType.json;
const isList = (schema: unknown): boolean =>
  isObject(schema) && (schema['type'] === 'array' || (Array.isArray(schema['anyOf']) && schema['anyOf'].some(isList)));
const hasLists = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema['properties']) && Object.values(schema['properties']).some(isList);
/** A form spells the names of lists otherwise than JSON does, as the interface has always done: `item_name[]`. */
export const isFormOfLists = (type: string, schema: unknown): boolean =>
  isForm(type) && isObject(schema) && Object.keys(schema['properties'] ?? {}).some((name) => name.endsWith('[]'));
const asForm = (schema: Json): Json => {
  const formName = (name: string, property: unknown) => (isList(property) ? `${name}[]` : name);
  const properties = Object.entries(fieldsIn(schema, 'properties'));
  const renamed = new Map(properties.map(([name, property]) => [name, formName(name, property)]));
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => [renamed.get(name), property])),
    required: Object.values(fieldsIn(schema, 'required')).map((name) => renamed.get(String(name))),
  };
};

/** Returns an operation's input, by media type. `undefined`: it has none. */
export const requestBodyOf = (operation: Operation, example: unknown): Json | undefined => {
  const { body, rawBody, formats = ['json'] } = operation;
  if (rawBody) {
    const content = Object.entries(rawBody).map(([type, description]) => [
      type,
      { schema: { type: 'object', description } },
    ]);
    return { required: true, content: Object.fromEntries(content) };
  }
  if (!body) return undefined;
  const schema = toSchema(body, 'input');
  const mediaOf = (format: (typeof formats)[number]) => ({
    schema: format !== 'json' && hasLists(schema) ? asForm(schema) : schema,
    ...((format === 'json' || formats.length === 1) && { example }),
  });
  return {
    required: !v.is(body, {}),
    content: Object.fromEntries(formats.map((format) => [mediaType[format], mediaOf(format)])),
  };
};

import { isFields } from '#core/kernel/is-object.ts';
import { asArray, asObject, type Json, jsonSchema } from './json-parts.ts';

/** The types of the TypeScript client, made from the API document: one of each named schema, operation and webhook. */

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? 'unknown') : `(${distinct.join(' | ')})`;
};

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A JSON Schema in TypeScript's words; what those cannot say (patterns, lengths) is left to the service. */
export const toType = (schema: unknown): string => {
  if (!isFields(schema)) return 'unknown';
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return `Schemas['${$ref.split('/').at(-1)}']`;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(toType));
  if (Array.isArray(allOf)) return allOf.map(toType).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => toType({ ...schema, type: one })));
  if (type === 'array') return `${toType(schema['items'])}[]`;
  if (type === 'object' || schema['properties'] !== undefined) return objectType(schema);
  return plain[String(type)] ?? 'unknown';
};

const comment = (words: unknown): string =>
  typeof words === 'string' ? `/** ${words.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */ ` : '';

const objectType = (schema: Json): string => {
  const required = new Set(asArray(schema['required']));
  const fields = Object.entries(asObject(schema['properties'])).map(([name, property]) => {
    const mark = required.has(name) ? '' : '?';
    return `${comment(asObject(property)['description'])}${JSON.stringify(name)}${mark}: ${toType(property)};`;
  });
  const others = schema['additionalProperties'];
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return `Record<string, ${isFields(others) ? toType(others) : 'unknown'}>`;
};

const parametersIn = (operation: Json, place: 'path' | 'query'): string[] => {
  const own = asArray(operation['parameters'])
    .map(asObject)
    .filter((one) => one['in'] === place);
  if (own.length === 0) return [];
  const fields = own.map(
    ({ name, required, schema, description }) =>
      `${comment(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${toType(schema)};`,
  );
  const mark = own.some(({ required }) => required) ? '' : '?';
  return [`${place}${mark}: {\n${fields.join('\n')}\n};`];
};

/** Covers only operations that accept and return JSON: pages and files are for browsers. */
const operationType = (name: string, operation: Json): string[] => {
  const reply = jsonSchema(asObject(operation['responses'])['200']);
  const { requestBody } = operation;
  if (reply === undefined || (requestBody !== undefined && jsonSchema(requestBody) === undefined)) return [];
  const body = requestBody === undefined ? [] : [`body: ${toType(jsonSchema(requestBody))};`];
  const input = [...parametersIn(operation, 'path'), ...parametersIn(operation, 'query'), ...body];
  const inputType = input.length === 0 ? 'Record<never, never>' : `{\n${input.join('\n')}\n}`;
  return [`${comment(operation['summary'])}${JSON.stringify(name)}: { input: ${inputType}; reply: ${toType(reply)} };`];
};

/** The module `schema.ts` of the client. */
export const clientTypes = (document: unknown): string => {
  const { paths, webhooks, components } = asObject(document);
  const schemas = Object.entries(asObject(asObject(components)['schemas'])).map(
    ([name, schema]) => `${name}: ${toType(schema)};`,
  );
  const operations = Object.entries(asObject(paths)).flatMap(([path, methods]) =>
    Object.entries(asObject(methods)).flatMap(([method, operation]) =>
      operationType(`${method.toUpperCase()} ${path}`, asObject(operation)),
    ),
  );
  const calls = Object.entries(asObject(webhooks)).map(([name, webhook]) => {
    const { requestBody } = asObject(asObject(webhook)['post']);
    return `${name}: ${toType(jsonSchema(requestBody))};`;
  });
  const part = (name: string, lines: readonly string[]) => `export type ${name} = {\n${lines.join('\n')}\n};\n`;
  return `// Made from the API document.\n${part('Schemas', schemas)}\n${part('Operations', operations)}\n${part('Webhooks', calls)}`;
};

import { isFields } from '#core/kernel/is-object.ts';
import { type Json, listOf, objectOf } from './json-parts.ts';

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
export const typeOf = (schema: unknown): string => {
  if (!isFields(schema)) return 'unknown';
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return `Schemas['${$ref.split('/').at(-1)}']`;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(typeOf));
  if (Array.isArray(allOf)) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array') return `${typeOf(schema['items'])}[]`;
  if (type === 'object' || schema['properties'] !== undefined) return objectType(schema);
  return plain[String(type)] ?? 'unknown';
};

const comment = (words: unknown): string =>
  typeof words === 'string' ? `/** ${words.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */ ` : '';

const objectType = (schema: Json): string => {
  const required = new Set(listOf(schema['required']));
  const fields = Object.entries(objectOf(schema['properties'])).map(([name, property]) => {
    const mark = required.has(name) ? '' : '?';
    return `${comment(objectOf(property)['description'])}${JSON.stringify(name)}${mark}: ${typeOf(property)};`;
  });
  const others = schema['additionalProperties'];
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return `Record<string, ${isFields(others) ? typeOf(others) : 'unknown'}>`;
};

const jsonOf = (part: unknown): unknown => {
  const json = objectOf(objectOf(part)['content'])['application/json'];
  return isFields(json) ? json['schema'] : undefined;
};

const parametersIn = (operation: Json, place: 'path' | 'query'): string[] => {
  const own = listOf(operation['parameters'])
    .map(objectOf)
    .filter((one) => one['in'] === place);
  if (own.length === 0) return [];
  const fields = own.map(
    ({ name, required, schema, description }) =>
      `${comment(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`,
  );
  const mark = own.some(({ required }) => required) ? '' : '?';
  return [`${place}${mark}: {\n${fields.join('\n')}\n};`];
};

/** Covers only operations that accept and return JSON: pages and files are for browsers. */
const operationType = (name: string, operation: Json): string[] => {
  const reply = jsonOf(objectOf(operation['responses'])['200']);
  const { requestBody } = operation;
  if (reply === undefined || (requestBody !== undefined && jsonOf(requestBody) === undefined)) return [];
  const body = requestBody === undefined ? [] : [`body: ${typeOf(jsonOf(requestBody))};`];
  const input = [...parametersIn(operation, 'path'), ...parametersIn(operation, 'query'), ...body];
  const inputType = input.length === 0 ? 'Record<never, never>' : `{\n${input.join('\n')}\n}`;
  return [`${comment(operation['summary'])}${JSON.stringify(name)}: { input: ${inputType}; reply: ${typeOf(reply)} };`];
};

/** The module `schema.ts` of the client. */
export const clientTypes = (document: unknown): string => {
  const { paths, webhooks, components } = objectOf(document);
  const schemas = Object.entries(objectOf(objectOf(components)['schemas'])).map(
    ([name, schema]) => `${name}: ${typeOf(schema)};`,
  );
  const operations = Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).flatMap(([method, operation]) =>
      operationType(`${method.toUpperCase()} ${path}`, objectOf(operation)),
    ),
  );
  const calls = Object.entries(objectOf(webhooks)).map(([name, webhook]) => {
    const { requestBody } = objectOf(objectOf(webhook)['post']);
    return `${name}: ${typeOf(jsonOf(requestBody))};`;
  });
  const part = (name: string, lines: readonly string[]) => `export type ${name} = {\n${lines.join('\n')}\n};\n`;
  return `// Made from the API document.\n${part('Schemas', schemas)}\n${part('Operations', operations)}\n${part('Webhooks', calls)}`;
};

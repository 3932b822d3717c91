import { isFields } from '#core/kernel/is-object.ts';
import { headerTakersOf } from './header-takers.ts';
import { type Json, listOf, objectOf } from './json-parts.ts';

/** The types of the PHP client, made from the API document, in the notation that PHPStan and Psalm read. */

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const union = (types: readonly string[]): string => [...new Set(types)].join('|');

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'null',
};

const literalOf = (value: unknown): string => {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'number' && !Number.isInteger(value) ? 'float' : JSON.stringify(value);
};

/** A JSON Schema as a PHPDoc type. */
export const phpType = (schema: unknown): string => {
  if (!isFields(schema)) return 'mixed';
  const { $ref, const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'mixed';
  if (constant !== undefined) return literalOf(constant);
  if (Array.isArray(values)) return union(values.map(literalOf));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(phpType));
  if (Array.isArray(type)) return union(type.map((one) => phpType({ ...schema, type: one })));
  if (type === 'array') return `list<${phpType(schema['items'])}>`;
  const others = schema['additionalProperties'];
  if (type === 'object') return `array<string, ${isFields(others) ? phpType(others) : 'mixed'}>`;
  return plain[String(type)] ?? 'mixed';
};

const shapeOf = (schema: Json): string => {
  const { properties, required } = schema;
  if (!isFields(properties)) return phpType(schema);
  const needed = listOf(required);
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : quote(name);
    return `${key}${needed.includes(name) ? '' : '?'}: ${phpType(property)}`;
  });
  return `array{${fields.join(', ')}}`;
};

/** The file `src/Schemas.php`: a type alias for each schema, to import with `@phpstan-import-type`. */
export const phpSchemas = (document: unknown): string => {
  const schemas = objectOf(objectOf(objectOf(document)['components'])['schemas']);
  const types = Object.entries(schemas).map(
    ([name, schema]) => ` * @phpstan-type ${name} ${shapeOf(objectOf(schema))}`,
  );
  return `<?php

declare(strict_types=1);

namespace Forewarn;

/**
 * The types of requests and replies, made from the API document.
 *
${types.join('\n')}
 */
final class Schemas
{
}
`;
};

/** The file `src/Operations.php`: which operations accept an idempotency key, and which a signature. */
export const phpOperations = (document: unknown): string => {
  const { idempotent, signable } = headerTakersOf(document);
  const setOf = (names: readonly string[]) =>
    `[\n${names.map((name) => `        ${quote(name)} => true,\n`).join('')}    ]`;
  return `<?php

declare(strict_types=1);

namespace Forewarn;

/** Made from the API document. */
final class Operations
{
    /** Operations that accept an idempotency key. */
    public const IDEMPOTENT = ${setOf(idempotent)};
    /** Operations that accept a signature. */
    public const SIGNABLE = ${setOf(signable)};
}
`;
};

import { isFields } from '#core/kernel/is-object.ts';
import { type ClientMethod, camelCase, clientMethods } from './client-methods.ts';
import { headerTakersOf } from './header-takers.ts';
import { asArray, asObject, type Json, jsonSchema } from './json-parts.ts';

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

const toLiteral = (value: unknown): string => {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'number' && !Number.isInteger(value) ? 'float' : JSON.stringify(value);
};

/** A JSON Schema as a PHPDoc type. */
export const phpType = (schema: unknown): string => {
  if (!isFields(schema)) return 'mixed';
  const { $ref, const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'mixed';
  if (constant !== undefined) return toLiteral(constant);
  if (Array.isArray(values)) return union(values.map(toLiteral));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(phpType));
  if (Array.isArray(type)) return union(type.map((one) => phpType({ ...schema, type: one })));
  if (type === 'array') return `list<${phpType(schema['items'])}>`;
  const others = schema['additionalProperties'];
  if (type === 'object') return `array<string, ${isFields(others) ? phpType(others) : 'mixed'}>`;
  return plain[String(type)] ?? 'mixed';
};

const toShape = (schema: Json): string => {
  const { properties, required } = schema;
  if (!isFields(properties)) return phpType(schema);
  const needed = asArray(required);
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : quote(name);
    return `${key}${needed.includes(name) ? '' : '?'}: ${phpType(property)}`;
  });
  return `array{${fields.join(', ')}}`;
};

/** The file `src/Schemas.php`: a type alias for each schema, to import with `@phpstan-import-type`. */
export const phpSchemas = (document: unknown): string => {
  const schemas = asObject(asObject(asObject(document)['components'])['schemas']);
  const types = Object.entries(schemas).map(
    ([name, schema]) => ` * @phpstan-type ${name} ${toShape(asObject(schema))}`,
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
export const phpOperations = (document: unknown, version: string): string => {
  const { idempotent, signable } = headerTakersOf(document);
  const setOf = (names: readonly string[]) =>
    `[\n${names.map((name) => `        ${quote(name)} => true,\n`).join('')}    ]`;
  return `<?php

declare(strict_types=1);

namespace Forewarn;

/** Made from the API document. */
final class Operations
{
    public const VERSION = ${quote(version)};
    /** Operations that accept an idempotency key. */
    public const IDEMPOTENT = ${setOf(idempotent)};
    /** Operations that accept a signature. */
    public const SIGNABLE = ${setOf(signable)};
}
`;
};

const head = '<?php\n\ndeclare(strict_types=1);\n\n';
const className = (group: string): string => `${group[0]?.toUpperCase()}${camelCase(group).slice(1)}`;
const byGroup = (document: unknown) => [...Map.groupBy(clientMethods(document), ({ group }) => group)];

/** A method has the parameters that its operation has, and the key that names the call. */
const phpMethod = ({ name, call, operation }: ClientMethod): string => {
  const places = new Set(asArray(operation['parameters']).map((one) => asObject(one)['in']));
  const { requestBody, responses, summary } = operation;
  const isNeeded = asObject(requestBody)['required'] === true;
  const taken = [
    ...(places.has('path') ? [['path', 'array', 'array<string, string|int>', '']] : []),
    ...(requestBody && isNeeded ? [['body', 'array', phpType(jsonSchema(requestBody)), '']] : []),
    ...(requestBody && !isNeeded ? [['body', '?array', `?${phpType(jsonSchema(requestBody))}`, ' = null']] : []),
    ...(places.has('query') ? [['query', 'array', 'array<string, string|int>', ' = []']] : []),
    ['idempotencyKey', '?string', '?string', ' = null'],
  ];
  const params = taken.map(([own, , type]) => `     * @param ${type} $${own}\n`).join('');
  const listed = taken.map(([own, type, , otherwise]) => `${type} $${own}${otherwise}`).join(', ');
  const passed = taken.map(([own]) => `${own}: $${own}`).join(', ');
  return `    /**
     * ${summary}
     *
${params}     * @return ${phpType(jsonSchema(asObject(responses)['200']))}
     */
    public function ${camelCase(name)}(${listed}): array
    {
        return $this->client->call(${quote(call)}, ${passed});
    }
`;
};

/** The files of `src/Groups/` by their classes: the operations under each heading of the API reference. */
export const phpGroups = (document: unknown): [name: string, text: string][] =>
  byGroup(document).map(([group, own]) => {
    const types = [
      ...new Set(
        own.flatMap(
          ({ operation }) =>
            JSON.stringify([operation['requestBody'], operation['responses']]).match(/(?<=schemas\/)\w+/g) ?? [],
        ),
      ),
    ];
    const imported = types.map((type) => ` * @phpstan-import-type ${type} from \\Forewarn\\Schemas\n`).join('');
    const text = `${head}namespace Forewarn\\Groups;

use Forewarn\\Client;

/**
 * Made from the API document.
 *
${imported} */
final class ${className(group)}
{
    public function __construct(private readonly Client $client)
    {
    }

${own.map(phpMethod).join('\n')}}
`;
    return [className(group), text];
  });

/** The file `src/Groups.php`: the client's access to them. */
export const phpGroupsTrait = (document: unknown): string => {
  const methods = byGroup(document).map(
    ([group]) =>
      `    public function ${camelCase(group)}(): Groups\\${className(group)}\n    {\n        return new Groups\\${className(group)}($this);\n    }\n`,
  );
  return `${head}namespace Forewarn;\n\n/** The operations by their headings in the API reference. */\ntrait Groups\n{\n${methods.join('\n')}}\n`;
};

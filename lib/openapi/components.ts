import { isFields } from '#core/kernel/is-object.ts';
import { Flag, FromTime, Id, ToTime } from '#core/kernel/schema/schema.ts';
import { toSchema } from './json-schema.ts';

/**
 * Gives schemas names: the input and output of an operation, and what is used in several places. A document with names is a fraction of the
 * size, and a client that is generated from it has types that can be named.
 */
type Json = Record<string, unknown>;

/** `alert-details`, `billing_address` and `tx_details[]`, as names of types are written. */
export const typeName = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');

/** Objects of some size alone are worth a name. */
const isNameable = (schema: unknown): schema is Json =>
  isFields(schema) && schema['type'] === 'object' && Object.keys(schema['properties'] ?? {}).length > 1;

/** Returns a schema without its meaning at one place. */
const bare = (schema: Json): Json => {
  const { description, ...rest } = schema;
  return rest;
};

/** A schema's parts that are schemas, each replaced by what `change` makes of it; `name`: the property under which it stands. */
const mapParts = (schema: Json, change: (part: unknown, name: string | undefined) => unknown): Json =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isFields(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]))];
      }
      if (key === 'items' || key === 'additionalProperties' || key === 'not')
        return [key, isFields(value) ? change(value, undefined) : value];
      const isChoice = key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems';
      return [key, isChoice && Array.isArray(value) ? value.map((part) => change(part, undefined)) : value];
    }),
  );

/** The names of choices that hundreds of fields share. */
const named: Readonly<Record<string, Json>> = {
  ...{ Flag: toSchema(Flag, 'input'), Id: toSchema(Id, 'input') },
  ...{ FromTime: toSchema(FromTime, 'input'), ToTime: toSchema(ToTime, 'input') },
  TextOrNumber: { anyOf: [{ type: 'string' }, { type: 'number' }] },
};
const choices: ReadonlyMap<string, string> = new Map([
  ...Object.entries(named).map(([name, { anyOf }]) => [JSON.stringify(anyOf), name] as const),
  [JSON.stringify([{ type: 'number' }, { type: 'string' }]), 'TextOrNumber'],
]);

export type Naming = {
  /** The schema of a body or an answer, under the name of its own or of one that says the same. */
  nameSchema(schema: unknown, name: string): unknown;
  /** A schema, or what each part of it that has a name refers to. */
  parts(schema: unknown, name: string): unknown;
  /** All named so far. */
  schemas(): Json;
};

/** Counts how often each schema that may have a name occurs in others, by its text. */
const countUses = (all: readonly unknown[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const count = (schema: unknown): void => {
    if (!isFields(schema)) return;
    if (isNameable(schema)) {
      const text = JSON.stringify(bare(schema));
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    mapParts(schema, (part) => {
      count(part);
      return part;
    });
  };
  for (const schema of all) count(schema);
  return counts;
};

/** `all`: every schema of the document, of which those that come more than once get names. */
export const createNaming = (all: readonly unknown[]): Naming => {
  const counts = countUses(all);
  const byText = new Map<string, string>();
  const schemas = new Map<string, unknown>();
  const refTo = (schema: Json, wanted: string, within: string): Json => {
    const text = JSON.stringify(bare(schema));
    const name = byText.get(text) ?? free(wanted, within);
    if (!byText.has(text)) {
      byText.set(text, name);
      // Taken before its parts are looked at, which may want the same name.
      schemas.set(name, null);
      schemas.set(name, parts(bare(schema), name));
    }
    const { description } = schema;
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  };
  const free = (wanted: string, within: string): string => {
    const candidates = [wanted, `${within}${wanted}`, ...Array.from({ length: 50 }, (_, n) => `${wanted}${n + 2}`)];
    const name = candidates.find((one) => one !== '' && !schemas.has(one));
    if (name === undefined) throw new Error(`There are too many schemas called ${wanted}.`);
    return name;
  };
  const parts = (schema: unknown, within: string): unknown => inside(schema, within, undefined);
  const inside = (schema: unknown, within: string, under: string | undefined): unknown => {
    if (!isFields(schema)) return schema;
    const { anyOf, ...more } = schema;
    const choice = choices.get(JSON.stringify(anyOf));
    if (choice !== undefined) {
      schemas.set(choice, named[choice]);
      return { $ref: `#/components/schemas/${choice}`, ...more };
    }
    return mapParts(schema, (part, name) => {
      const own = name ?? under;
      const isRepeated = isNameable(part) && (counts.get(JSON.stringify(bare(part))) ?? 0) > 1;
      return isRepeated ? refTo(part, own ? typeName(own) : `${within}Item`, within) : inside(part, within, own);
    });
  };
  return {
    nameSchema: (schema, name) => (isNameable(schema) ? refTo(schema, name, name) : parts(schema, name)),
    parts,
    schemas: () => Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
};

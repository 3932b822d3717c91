import type * as v from 'valibot';
import { redactText } from '../log/redaction.ts';
import { Refusal } from '../operation/errors.ts';
import type { Operation } from '../operation/operation.ts';

/** The parts that a schema may have. */
export type SchemaParts = {
  type: string;
  pipe?: readonly unknown[];
  entries?: Readonly<Record<string, v.GenericSchema>>;
  wrapped?: v.GenericSchema;
  item?: v.GenericSchema;
  options?: readonly unknown[];
  key?: v.GenericSchema;
  metadata?: unknown;
};

export const isSchema = (value: unknown): value is v.GenericSchema & SchemaParts =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/**
 * The fields of a value that a schema has no name for, by their paths (`site.nmae`). A schema that takes fields of any name knows
 * them all; the schema itself refuses a value that should be an object and is not.
 */
export const unknownFields = (schema: v.GenericSchema, value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null || !isSchema(schema)) return [];
  const parts = findShape(schema);
  if (!parts) return [];
  const { entries, wrapped, item, options } = parts;
  if (wrapped) return unknownFields(wrapped, value, path);
  if (options) return unknownToAll(options.filter(isSchema), value, path);
  if (Array.isArray(value)) {
    return item ? value.flatMap((one, index) => unknownFields(item, one, `${path}${index}.`)) : [];
  }
  if (!entries) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const known = Object.hasOwn(entries, name) ? entries[name] : undefined;
    return known ? unknownFields(known, one, `${path}${name}.`) : [`${path}${name}`];
  });
};

/** The first schema of a pipe that defines its value's fields; undefined if any fields are taken. */
const findShape = (schema: v.GenericSchema & SchemaParts): SchemaParts | undefined =>
  [schema, ...(schema.pipe ?? []).slice(1)].filter(isSchema).find(({ type, entries, wrapped, item, options }) => {
    if (type === 'loose_object' || type === 'object_with_rest' || type === 'record') return false;
    return entries ?? wrapped ?? item ?? options;
  });

/** Among several schemas, only those count that can take an object, or a list, at all. */
const unknownToAll = (options: readonly v.GenericSchema[], value: object, path: string): string[] => {
  const found = options.filter((option) => mayTake(option, value)).map((option) => unknownFields(option, value, path));
  const [first = [], ...others] = found;
  return first.filter((name) => others.every((names) => names.includes(name)));
};

const scalars = new Set(['string', 'number', 'boolean', 'picklist', 'literal', 'null', 'undefined', 'bigint']);

const mayTake = (option: v.GenericSchema, value: object): boolean => {
  if (scalars.has(option.type)) return false;
  return Array.isArray(value) === (option.type === 'array');
};

const maxWarnings = 20;

/**
 * The fields of a management call that have no meaning there: most are misspelled. They are named in the reply, or refused if
 * the caller asks for that with `Prefer: handling=strict` (RFC 7240).
 */
export const listUnknownFields = ({ auth, body }: Operation, sent: unknown, prefer: string | undefined): string[] => {
  if (!body || (auth !== 'bearer' && auth !== 'admin')) return [];
  const names = unknownFields(body, sent).map((name) => redactText(name).slice(0, 80));
  const words = names.slice(0, maxWarnings).map((name) => `${name}: is not a field of this call`);
  if (words.length > 0 && /\bhandling\s*=\s*strict\b/i.test(prefer ?? '')) {
    throw new Refusal('request_invalid', words.join('; '));
  }
  return words;
};

export const withWarnings = (reply: unknown, warnings: readonly string[]): unknown =>
  warnings.length > 0 && typeof reply === 'object' && reply !== null && !Array.isArray(reply)
    ? { ...reply, warnings }
    : reply;

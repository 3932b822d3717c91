import type * as v from 'valibot';
import { redactText } from '../log/redaction.ts';
import { isSchema, type SchemaParts } from './unknown-fields.ts';

/** Texts that a call's schema shortened or normalized in place of refusing them, for `warnings` of the reply. Pure. */

/** The mark of such a schema: see `rewritesText` of core/kernel/schema/text.ts. */
const isMark = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'metadata' in part &&
  Object.hasOwn(Object(part.metadata), 'rewritesText');

const rewrites = (schema: v.GenericSchema): boolean => {
  if (!isSchema(schema)) return false;
  const { pipe = [], wrapped, item, options = [] } = schema;
  const inner = [...pipe, wrapped, item, ...options].filter(isSchema);
  return pipe.some(isMark) || inner.some(rewrites);
};

/** The part of a schema that has the fields or the entries of its value: pipes may be within pipes. */
const shapeWithin = (schema: v.GenericSchema): SchemaParts | undefined => {
  if (!isSchema(schema)) return undefined;
  if (schema.entries ?? schema.wrapped ?? schema.item) return schema;
  for (const part of (schema.pipe ?? []).filter(isSchema)) {
    const found = shapeWithin(part);
    if (found) return found;
  }
  return undefined;
};

const describeRewrite = (name: string, sent: unknown, read: unknown): string[] => {
  if (typeof sent !== 'string' || typeof read !== 'string') return [];
  const [before, after] = [sent.trim(), read];
  if (before.toLowerCase() === after.toLowerCase()) return [];
  const isShortened = after !== '' && before.startsWith(after);
  return [`${name}: was ${isShortened ? `shortened to ${after.length} characters` : 'normalized'}`];
};

/** Checks whether a call may have fields that are rewritten. */
export const rewritesFields = (body: v.GenericSchema): boolean =>
  Object.values(shapeWithin(body)?.entries ?? {}).some(rewrites);

const maxWarnings = 20;

const walk = (schema: v.GenericSchema, sent: unknown, read: unknown, path: string): string[] => {
  if (typeof read === 'string') return rewrites(schema) ? describeRewrite(path, sent, read) : [];
  if (typeof read !== 'object' || read === null || !isSchema(schema)) return [];
  const { entries, wrapped, item } = shapeWithin(schema) ?? {};
  if (wrapped) return walk(wrapped, sent, read, path);
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(read)) {
    const list = Array.isArray(sent) ? sent : [sent];
    return item ? read.flatMap((one, index) => walk(item, list[index], one, below(String(index)))) : [];
  }
  const [before, after] = [new Map(Object.entries(Object(sent))), new Map(Object.entries(read))];
  return Object.entries(entries ?? {}).flatMap(([name, one]) =>
    walk(one, before.get(name), after.get(name), below(name)),
  );
};

/** `sent`: the body as it was sent; `read`: as its schema read it. */
export const listRewrittenFields = (body: v.GenericSchema | undefined, sent: unknown, read: unknown): string[] =>
  body ? walk(body, sent, read, '').slice(0, maxWarnings).map(redactText) : [];

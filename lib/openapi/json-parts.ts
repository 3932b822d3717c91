import { isFields } from '#core/kernel/is-object.ts';

/** Parts of a JSON document, which may lack any of them. */
export type Json = Record<string, unknown>;

export const asObject = (value: unknown): Json => (isFields(value) ? value : {});
export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The schema of a body or a reply in JSON; undefined if it has none. */
export const jsonSchema = (part: unknown): unknown =>
  asObject(asObject(asObject(part)['content'])['application/json'])['schema'];

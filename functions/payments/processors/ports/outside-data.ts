import * as v from 'valibot';

/** Parts of what processors send, of which nothing is certain. */

export type Node = Readonly<Record<string, unknown>>;
export const toNode = (value: unknown): Node => (typeof value === 'object' && value !== null ? { ...value } : {});

/** Parses a JSON text; undefined if it is not JSON. */
export const parseStrictJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns a reader of bodies that have the shape; undefined for any other. */
export const makeReader =
  <S extends v.GenericSchema>(schema: S) =>
  (body: unknown): v.InferOutput<S> | undefined => {
    const { success, output } = v.safeParse(schema, body);
    return success ? output : undefined;
  };

/** A time in any form that can be read, as ISO in UTC. */
export const SentTime = v.pipe(
  v.string(),
  v.check((value) => !Number.isNaN(Date.parse(value))),
  v.transform((value) => new Date(value).toISOString()),
);

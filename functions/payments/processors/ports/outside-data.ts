import * as v from 'valibot';

/** Parts of what processors send, of which nothing is certain. */

export type Node = Readonly<Record<string, unknown>>;
export const toNode = (value: unknown): Node => (typeof value === 'object' && value !== null ? { ...value } : {});

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

/** The form in which times are stored; undefined if a text is no time. */
export const toIsoTime = (time: string): string | undefined =>
  Number.isNaN(Date.parse(time)) ? undefined : new Date(time).toISOString();

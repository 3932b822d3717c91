/** Short forms of JSON Schema, in which the tables of facts are written. */

export type Schema = Readonly<Record<string, unknown>>;

/** A text; `form`: the whole of it, or its greatest length. */
export const text = (form: RegExp | number = /./s): Schema =>
  typeof form === 'number'
    ? { type: 'string', minLength: 1, maxLength: form }
    : { type: 'string', pattern: form.source };
export const anyOf = (...values: readonly (string | number | boolean)[]): Schema => ({ enum: values });
export const whole: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
export const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const either = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas });
/** Texts by names that are the caller's own. */
export const texts = (form: RegExp | number = 500): Schema => ({ type: 'object', additionalProperties: text(form) });

/** An object with these fields and no other; a name that ends in `?` may be missing. */
export const fields = (entries: Readonly<Record<string, Schema>>): Schema => {
  const names = Object.keys(entries);
  return {
    type: 'object',
    additionalProperties: false,
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(Object.entries(entries).map(([name, one]) => [name.replace(/\?$/, ''), one])),
  };
};

/** An object with at least these fields. */
export const atLeast = (entries: Readonly<Record<string, Schema>>): Schema => ({
  ...fields(entries),
  additionalProperties: true,
});

/** What a request to an address may have, and which answers it may get by status; `default`: of all other statuses. */
export type Call = {
  headers?: Readonly<Record<string, RegExp>>;
  query?: Schema;
  body?: Schema;
  answers: Readonly<Record<number | string, Schema>>;
};

/**
 * A vendor's published calls, by method and path, in which `{name}` is one part. `files`: the vendor's own documents, by the beginning of the paths that
 * they describe. `differs`: what its document says otherwise than the vendor does, with the reason.
 */
export type Contract = {
  source: string;
  version: string;
  /** Of the source. */
  date: string;
  /** When it was last compared with the source. */
  checked: string;
  calls: Readonly<Record<string, Call>>;
  files?: Readonly<Record<string, string>>;
  differs?: readonly { problem: RegExp; reason: string }[];
};

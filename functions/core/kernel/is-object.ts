/** Checks whether a value is an object; lists count too. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The same, without lists. */
export const isFields = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value);

/** The fields of an object; none of anything else. */
export const asFields = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {});

/** Whether a value has fields that may be looked at; a list is one that has. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The same, and no list. */
export const isFields = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value);

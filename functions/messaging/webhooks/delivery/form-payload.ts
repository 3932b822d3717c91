/** A field's value; lists and objects travel as JSON text. */
export type FormValue = string | number | boolean | null | undefined | readonly unknown[] | object;

const formText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const formPairs = ([name, value]: [string, FormValue]): [string, string][] => {
  if (value === undefined) return [];
  if (!name.endsWith('[]')) return [[name, formText(value)]];
  const entries: readonly unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
  return entries.map((entry) => [name, formText(entry)]);
};

/**
 * A body of type application/x-www-form-urlencoded (WHATWG URL §5), fields in the order given. `undefined` leaves a field
 * out, null makes it empty. A list or an object becomes JSON text in one field, except under a name that ends in `[]`:
 * there each entry becomes a field of that name.
 */
export const encodeForm = (fields: Readonly<Record<string, FormValue>>): string =>
  new URLSearchParams(Object.entries(fields).flatMap(formPairs)).toString();

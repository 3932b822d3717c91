import { isObject } from '#core/kernel/is-object.ts';

/**
 * Maps the messages of a reseller to the fields of a provider. Field names on the left are those of the provider's own messages, dotted
 * where they are nested; see docs/provider-mappings.md.
 */

/** Where a field comes from: a path such as `$.case.id` or `$.amounts[0]`, perhaps with words to replace, or a constant. */
export type FieldSource =
  | string
  | { from: string; words?: Readonly<Record<string, string>> | undefined; default?: string | undefined }
  | { value: string };

export type ProviderMapping = { provider: string; fields: Readonly<Record<string, FieldSource>> };

/** The form of a path: `$`, then names and numbers. */
export const pathForm = /^\$(?:\.[A-Za-z_][\w-]*|\[\d{1,4}\]|\['[^'\]]{1,100}'\])+$/;

const pathSteps = (path: string): string[] =>
  [...path.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^']+)'\]/g)].map(
    ([, name, index, quoted]) => name ?? index ?? quoted ?? '',
  );

/** The value at a path of a message; undefined if there is none. */
const valueAt = (sent: unknown, path: string): unknown =>
  pathSteps(path).reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, sent);

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const sourcedValue = (sent: unknown, source: FieldSource): unknown => {
  if (typeof source === 'string') return valueAt(sent, source);
  if ('value' in source) return source.value;
  const found = valueAt(sent, source.from);
  if (isAbsent(found)) return source.default;
  const { words = {} } = source;
  if (Object.hasOwn(words, String(found))) return words[String(found)];
  return source.words && source.default !== undefined ? source.default : found;
};

type Fields = { [name: string]: unknown };

const withField = (fields: Fields, [first = '', ...rest]: readonly string[], value: unknown): Fields => {
  const inner = fields[first];
  return {
    ...fields,
    [first]: rest.length === 0 ? value : withField(isObject(inner) ? { ...inner } : {}, rest, value),
  };
};

/** A message in the provider's own fields. A field whose path leads nowhere is left out. */
export const applyMapping = ({ fields }: ProviderMapping, sent: unknown): Fields => {
  const values = Object.entries(fields).map(([name, source]) => [name, sourcedValue(sent, source)] as const);
  return values
    .filter(([, value]) => !isAbsent(value))
    .reduce<Fields>((message, [name, value]) => withField(message, name.split('.'), value), {});
};

/** The paths that a mapping reads. */
export const listPaths = ({ fields }: ProviderMapping): string[] =>
  Object.values(fields).flatMap((source) => {
    if (typeof source === 'string') return [source];
    return 'from' in source ? [source.from] : [];
  });

const leafPaths = (value: unknown, path: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => leafPaths(one, `${path}[${index}]`));
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, one]) =>
    leafPaths(one, /^[A-Za-z_][\w-]*$/.test(name) ? `${path}.${name}` : `${path}['${name}']`),
  );
};

/** The paths of a message that a mapping does not read. */
export const unreadPaths = (mapping: ProviderMapping, sent: unknown): string[] => {
  const read = new Set(listPaths(mapping));
  return leafPaths(sent, '$').filter((path) => !read.has(path));
};

import { keepNumberText } from '#core/kernel/money/number-text.ts';

/** A network's message that could not be read, and its corrections. Pure. */

export type Message = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A message from its text, with long numbers as they were sent; undefined if it is none with named fields, or if the browser does not say how
 * numbers are written.
 */
export const readMessage = (text: string): Message | undefined => {
  let isExact = true;
  try {
    const read: unknown = JSON.parse(text, (key, value, context?: { source?: string }) => {
      isExact &&= typeof value !== 'number' || context?.source !== undefined;
      return keepNumberText(key, value, context);
    });
    return isPart(read) && isExact ? read : undefined;
  } catch {
    return undefined;
  }
};

/** The fields of a message by their paths, such as `amount.value`; lists are left out. */
export const listFields = (message: Message, around = ''): [path: string, value: unknown][] =>
  Object.entries(message).flatMap(([name, value]) => {
    if (isPart(value)) return listFields(value, `${around}${name}.`);
    return Array.isArray(value) ? [] : [[`${around}${name}`, value]];
  });

/** Checks whether a path names a field that has fields of its own, or is a list: no text can correct it. */
export const isPartOf = (message: Message, path: string): boolean => {
  const found = path.split('.').reduce<unknown>((at, name) => (isPart(at) ? at[name] : undefined), message);
  return typeof found === 'object' && found !== null;
};

/** Problems by the paths of their fields: `type: is required; amount.value: must be text`. */
export const splitProblems = (problems: string): Record<string, string> =>
  Object.fromEntries(
    problems.split(/; (?=[\w.]+: )/).flatMap((one) => {
      const [, path, words] = /^([\w.]+): (.+)$/s.exec(one) ?? [];
      return path === undefined || words === undefined ? [] : [[path, words]];
    }),
  );

/** A text in the type that the message has for the field: a number stays one where it is written as one. */
const asBefore = (before: unknown, text: string): unknown => {
  if (typeof before === 'number' && String(Number(text)) === text) return Number(text);
  return typeof before === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
};

/** Sets a field by its path; undefined removes it. */
const withField = (message: Message, [name = '', ...rest]: readonly string[], value: unknown): Message => {
  const { [name]: own, ...others } = message;
  if (rest.length === 0) return value === undefined ? others : { ...message, [name]: value };
  return { ...message, [name]: withField(isPart(own) ? own : {}, rest, value) };
};

/** The message with the fields as they were filled in: unchanged ones stay as they came, and emptied ones are left out. */
export const correctMessage = (
  message: Message,
  paths: readonly string[],
  filled: Readonly<Record<string, string>>,
): Message => {
  const present = new Map(listFields(message));
  return paths.reduce((corrected, path) => {
    const [before, text] = [present.get(path), filled[path]];
    if (text === String(before ?? '').trim() || (text === undefined && String(before ?? '').trim() === ''))
      return corrected;
    return withField(corrected, path.split('.'), text === undefined ? undefined : asBefore(before, text));
  }, message);
};

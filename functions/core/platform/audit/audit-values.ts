import { isDeepStrictEqual } from 'node:util';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { isObject } from '#core/kernel/is-object.ts';

/** The values of an audit entry: only of fields that the operation lists, so that a new field stays out until it is listed. Pure. */

/** The part of a value that is shown: all of it, the host of a URL, the domains of e-mail addresses, or the number of entries of a list. */
export type ShownPart = 'value' | 'host' | 'domain' | 'count';
/**
 * The fields whose values an entry shows, in its order: paths such as `deadline_hours.FRAUD`, where `*` is any name or place.
 * `sent`: what a call creates or is about, from its body. `changed`: of calls that compare a state before with one after.
 */
export type AuditValues = { [kind in 'sent' | 'changed']?: Readonly<Record<string, ShownPart>> };

type Plain = string | number | boolean;
type AuditValue = Plain | readonly Plain[] | null;
/** A field's path, and its values; null: there was none. */
export type AuditChange = { field: string; before: AuditValue; after: AuditValue };
type State = Readonly<Record<string, unknown>>;

/** The settings before and after a call, as its handler gives them, in the words of the interface. */
export class StateComparison {
  states: { before: State; after: State } | undefined;

  compare(before: State, after: State): void {
    this.states = { before, after };
  }
}

const maxChanges = 40;
const maxCharacters = 200;
const maxListed = 30;

/** The values of a call as its entry shows them. */
export const auditChanges = (
  { sent, changed }: AuditValues,
  body: State,
  { states }: StateComparison,
): readonly AuditChange[] => {
  const read = (fields: AuditValues['sent'], between: { before: State; after: State }) =>
    Object.entries(fields ?? {}).flatMap(([pattern, part]) => changesAt(pattern.split('.'), part, between));
  return [...read(sent, { before: {}, after: body }), ...(states ? read(changed, states) : [])].slice(0, maxChanges);
};

const changesAt = (
  pattern: readonly string[],
  part: ShownPart,
  { before, after }: { before: State; after: State },
): AuditChange[] => {
  const [old, fresh] = [valuesAt(before, pattern), valuesAt(after, pattern)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((field) => {
    const [one, other] = [old.get(field), fresh.get(field)];
    if (isDeepStrictEqual(one ?? null, other ?? null)) return [];
    const change = { field, before: shownValue(one, part), after: shownValue(other, part) };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
};

/** The values that a pattern names, by their paths; places of lists count from 1. */
const valuesAt = (value: unknown, [first, ...rest]: readonly string[], path = ''): Map<string, unknown> => {
  if (first === undefined) return new Map([[path, value]]);
  const named = Array.isArray(value) ? value.map((one, index) => [String(index + 1), one] as const) : entriesOf(value);
  return new Map(
    named
      .filter(([name]) => first === '*' || name === first)
      .flatMap(([name, inner]) => [...valuesAt(inner, rest, path === '' ? name : `${path}.${name}`)]),
  );
};

const entriesOf = (value: unknown): (readonly [string, unknown])[] => (isObject(value) ? Object.entries(value) : []);

const shownValue = (value: unknown, part: ShownPart): AuditValue => {
  if (part === 'count') return Array.isArray(value) ? value.length : null;
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value)) return value.slice(0, maxListed).flatMap((one) => plainPart(one, part) ?? []);
  return plainPart(value, part);
};

/** A flag or a number as it is; a text without card numbers, and cut. Anything else has no value. */
const plainPart = (value: unknown, part: ShownPart): Plain | null => {
  if (typeof value === 'boolean' || typeof value === 'number') return part === 'value' ? value : null;
  if (typeof value !== 'string' || value === '') return null;
  const text = textPart(value, part);
  return text === undefined ? null : maskCardNumbers(text).slice(0, maxCharacters);
};

const textPart = (text: string, part: ShownPart): string | undefined => {
  if (part === 'value') return text;
  if (part === 'domain') return text.includes('@') ? text.slice(text.lastIndexOf('@') + 1) : undefined;
  return URL.parse(text.includes('://') ? text : `https://${text}`)?.host;
};

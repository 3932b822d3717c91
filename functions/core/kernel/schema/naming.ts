import * as v from 'valibot';
import { isObject } from '../is-object.ts';
import { amountProblem } from '../money/money.ts';

/**
 * A schema can judge fields that depend on each other, such as an amount and its currency, only once all of them are valid. Here
 * such mistakes are reported together with the others, so that a caller does not learn of them one at a time.
 */

type Fields = Readonly<Record<string, unknown>>;
export type SchemaProblem = { path: readonly (string | number)[]; message: string };
const at = (value: unknown, key: string | number): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const toPathItems = (input: unknown, path: SchemaProblem['path']): [v.IssuePathItem, ...v.IssuePathItem[]] => {
  let holder = input;
  const places = path.map((key): v.IssuePathItem => {
    const value = at(holder, key);
    const place = { type: 'unknown', origin: 'value', input: holder, key, value } as const;
    holder = value;
    return place;
  });
  const [first = { type: 'unknown', origin: 'value', input, key: '', value: input }, ...rest] = places;
  return [first, ...rest];
};

/** Issues for fields that have none yet. */
const toIssues = (input: unknown, problems: readonly SchemaProblem[], known: readonly v.BaseIssue<unknown>[]) => {
  const named = known.map((issue) => v.getDotPath(issue) ?? '');
  return problems.flatMap(({ path, message }): v.BaseIssue<unknown>[] => {
    const name = path.join('.');
    if (named.some((one) => name === one || name.startsWith(`${one}.`))) return [];
    const what = { kind: 'validation', type: 'named', expected: null, received: 'named' } as const;
    return [{ ...what, input: undefined, message, path: toPathItems(input, path) }];
  });
};

/**
 * The same schema, which also names what `problemsOf` finds in a value as it was sent. It wraps valibot's `~run`, because no
 * action of a pipe can do that: valibot skips them once a field is invalid, and gives them what the schema has made of the value.
 */
export const naming = <S extends v.GenericSchema>(
  schema: S,
  problemsOf: (input: Fields) => readonly SchemaProblem[],
): S => {
  const run = schema['~run'];
  return Object.assign(schema, {
    '~run': (...[dataset, config]: Parameters<typeof run>) => {
      const input: unknown = dataset.value;
      const result = run.call(schema, dataset, config);
      if (!isObject(input)) return result;
      const [first, ...more] = toIssues(input, problemsOf(input), result.issues ?? []);
      return first ? { typed: false, value: result.value, issues: [...(result.issues ?? []), first, ...more] } : result;
    },
  });
};

/** Where an amount stands, and its currency: `['items.*.price', 'currency']`, with `*` for each entry of a list. */
export type AmountPlace = readonly [amount: string, currency: string];

/** The number of amounts that are checked: more than are ever reported. */
const maxAmounts = 200;

const found = (
  input: unknown,
  path: readonly string[],
  before: SchemaProblem['path'] = [],
): { path: SchemaProblem['path']; value: unknown }[] => {
  const [key, ...rest] = path;
  if (key === undefined) return [{ path: before, value: input }];
  if (key !== '*') return found(at(input, key), rest, [...before, key]);
  // A list of one may come as its one entry.
  if (!Array.isArray(input)) return found(input, rest, [...before, 0]);
  return input.slice(0, maxAmounts).flatMap((entry, index) => found(entry, rest, [...before, index]));
};

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** A currency in upper case, for callers who use lower case. */
const spellCurrency = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toUpperCase() : value);

/**
 * Describes the problems of a body's amounts. An amount is read only if its currency is valid; if not, the currency's own schema reports
 * it.
 */
export const amountProblems = (
  input: Fields,
  places: readonly AmountPlace[],
  currencyOf: (sent: unknown) => unknown = spellCurrency,
): SchemaProblem[] =>
  places.flatMap(([amount, currency]) =>
    found(input, amount.split('.')).flatMap(({ path, value }) => {
      if (!isText(value) || value === '') return [];
      const code = currencyOf(at(input, currency));
      const message = amountProblem(String(value).trim(), typeof code === 'string' ? code : '');
      return message === undefined ? [] : [{ path, message }];
    }),
  );

/** The same schema, which names wrong amounts even if other fields are wrong too. */
export const namingAmounts = <S extends v.GenericSchema>(schema: S, ...places: readonly AmountPlace[]): S =>
  naming(schema, (input) => amountProblems(input, places));

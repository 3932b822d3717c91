import * as v from 'valibot';
import { isObject } from './is-object.ts';
import { amountProblem } from './money.ts';

/**
 * What of a body hangs together, such as an amount and its currency, a schema can only judge where all of it is right. Here it is
 * named beside what else is wrong, so that a caller does not learn of one mistake after the other.
 */

type Fields = Readonly<Record<string, unknown>>;
export type Problem = { path: readonly (string | number)[]; message: string };
const at = (value: unknown, key: string | number): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const placesOf = (input: unknown, path: Problem['path']): [v.IssuePathItem, ...v.IssuePathItem[]] => {
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

/** Issues for what nothing is said of yet. */
const issuesOf = (input: unknown, problems: readonly Problem[], known: readonly v.BaseIssue<unknown>[]) => {
  const named = known.map((issue) => v.getDotPath(issue) ?? '');
  return problems.flatMap(({ path, message }): v.BaseIssue<unknown>[] => {
    const name = path.join('.');
    if (named.some((one) => name === one || name.startsWith(`${one}.`))) return [];
    const what = { kind: 'validation', type: 'named', expected: null, received: 'named' } as const;
    return [{ ...what, input: undefined, message, path: placesOf(input, path) }];
  });
};

/** The same schema, which besides names what `problemsOf` finds in a value as it was sent. */
export const naming = <S extends v.GenericSchema>(schema: S, problemsOf: (input: Fields) => readonly Problem[]): S => {
  const run = schema['~run'];
  return Object.assign(schema, {
    '~run': (...[dataset, config]: Parameters<typeof run>) => {
      const input: unknown = dataset.value;
      const result = run.call(schema, dataset, config);
      if (!isObject(input)) return result;
      const [first, ...more] = issuesOf(input, problemsOf(input), result.issues ?? []);
      return first ? { typed: false, value: result.value, issues: [...(result.issues ?? []), first, ...more] } : result;
    },
  });
};

/** Where an amount stands, and its currency: `['items.*.price', 'currency']`, with `*` for each entry of a list. */
export type AmountPlace = readonly [amount: string, currency: string];

/** As many as are looked at, and more than are ever named. */
const mostAmounts = 200;

const found = (
  input: unknown,
  path: readonly string[],
  before: Problem['path'] = [],
): { path: Problem['path']; value: unknown }[] => {
  const [key, ...rest] = path;
  if (key === undefined) return [{ path: before, value: input }];
  if (key !== '*') return found(at(input, key), rest, [...before, key]);
  // A list of one may come as its one entry.
  if (!Array.isArray(input)) return found(input, rest, [...before, 0]);
  return input.slice(0, mostAmounts).flatMap((entry, index) => found(entry, rest, [...before, index]));
};

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Currencies as they are spelled by those who write them in small letters. */
const spelled = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toUpperCase() : value);

/** What is wrong with the amounts of a body. An amount is only read in its currency where that is one: its own schema says if not. */
export const amountProblems = (
  input: Fields,
  places: readonly AmountPlace[],
  currencyOf: (sent: unknown) => unknown = spelled,
): Problem[] =>
  places.flatMap(([amount, currency]) =>
    found(input, amount.split('.')).flatMap(({ path, value }) => {
      if (!isText(value) || value === '') return [];
      const code = currencyOf(at(input, currency));
      const message = amountProblem(String(value).trim(), typeof code === 'string' ? code : '');
      return message === undefined ? [] : [{ path, message }];
    }),
  );

/** The same schema, which names wrong amounts also where other fields are wrong. */
export const namingAmounts = <S extends v.GenericSchema>(schema: S, ...places: readonly AmountPlace[]): S =>
  naming(schema, (input) => amountProblems(input, places));

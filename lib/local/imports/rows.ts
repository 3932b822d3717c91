import { Refusal } from '#core/platform/operation/errors.ts';
import type { CsvRecord } from '../csv-file.ts';

/** What a line of a file was read as, or what is wrong with it. */
export type ReadLine<T> = { line: number } & ({ read: T } | { problem: string });

/** Reads each line; a line that is refused has its problem in words. */
export const readLines = <T>(records: readonly CsvRecord[], read: (fields: CsvRecord['fields']) => T): ReadLine<T>[] =>
  records.map(({ line, fields }) => {
    try {
      return { line, read: read(fields) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { line, problem: error.details };
    }
  });

type Fields = { [name: string]: unknown };

const isList = (names: readonly string[]): boolean => names.length > 0 && names.every((name) => /^\d+$/.test(name));

/** Fields of dotted names, such as `customer.email` and `items.0.name`, as objects and lists. Empty values are left out. */
export const nestFields = (fields: Readonly<Record<string, string>>): Fields => {
  const tree: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value.trim() === '') continue;
    const steps = name.trim().split('.');
    const last = steps.pop() ?? '';
    let place = tree;
    for (const step of steps) {
      place[step] ??= {};
      place = place[step] as Fields;
    }
    place[last] = value.trim();
  }
  return withLists(tree);
};

const withLists = (tree: Fields): Fields =>
  Object.fromEntries(
    Object.entries(tree).map(([name, value]) => {
      if (typeof value !== 'object' || value === null) return [name, value];
      const inner = withLists(value as Fields);
      return [name, isList(Object.keys(inner)) ? Object.values(inner) : inner];
    }),
  );

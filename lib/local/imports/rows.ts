import { Refusal } from '#core/platform/operation/errors.ts';
import type { CsvRecord } from '../csv-file.ts';

/** A line of a file as it was read, or its problem. */
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

/** A tree without a prototype: the names come from the head of a file. */
const newTree = (): Fields => Object.create(null);

const isTree = (value: unknown): value is Fields => typeof value === 'object';

const mixedColumns = (problem: string): Refusal => new Refusal('request_invalid', problem);

/**
 * Fields of dotted names, such as `customer.email` and `items.0.name`, as objects and lists. Empty values are left out. Throws request_invalid
 * for a field that has both a text and parts.
 */
export const nestFields = (fields: Readonly<Record<string, string>>): Fields => {
  const tree = newTree();
  for (const [name, value] of Object.entries(fields)) {
    if (value.trim() === '') continue;
    const steps = name.trim().split('.');
    const last = steps.pop() ?? '';
    let place = tree;
    for (const step of steps) {
      place[step] ??= newTree();
      if (!isTree(place[step])) throw mixedColumns(`${name.trim()}: ${step} is a text in another column`);
      place = place[step];
    }
    if (isTree(place[last])) throw mixedColumns(`${name.trim()}: has parts in other columns`);
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

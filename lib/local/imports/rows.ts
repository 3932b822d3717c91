import { type CsvRecord, findRowFault, rowFaultWords } from '#core/kernel/csv/csv-table.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { UserError } from '../user-error.ts';

/** A line of a file as it was read, or its problem. */
export type ReadLine<T> = { line: number } & ({ read: T } | { problem: string });

/** Reads each line; a line that is refused has its problem in words. */
export const readLines = <T>(records: readonly CsvRecord[], read: (fields: CsvRecord['fields']) => T): ReadLine<T>[] =>
  records.map((record) => {
    const { line, fields } = record;
    const fault = findRowFault(record);
    if (fault) return { line, problem: rowFaultWords(fault) };
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

/** All names of fields in a schema, by their lower case. */
const namesIn = (schema: unknown, names = new Map<string, string>()): Map<string, string> => {
  const { entries, options, item, wrapped, pipe } = Object(schema) as Record<string, unknown>;
  for (const [name, entry] of Object.entries(Object(entries))) {
    names.set(name.toLowerCase(), name);
    namesIn(entry, names);
  }
  for (const inner of [...toArray(options), ...toArray(pipe), item, wrapped])
    if (isSchema(inner)) namesIn(inner, names);
  return names;
};

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value;

/** Records whose columns are spelled as the fields of a schema, in whatever case the head has them. */
export const spelledAs = (schema: unknown, records: readonly CsvRecord[]): CsvRecord[] => {
  const names = namesIn(schema);
  const spell = (column: string) =>
    column
      .split('.')
      .map((step) => names.get(step.trim().toLowerCase()) ?? step)
      .join('.');
  return records.map((record) => ({
    ...record,
    fields: Object.fromEntries(Object.entries(record.fields).map(([column, value]) => [spell(column), value])),
  }));
};

const spellsColumn = (name: string, column: string): boolean =>
  name.toLowerCase() === column.toLowerCase() || name.startsWith(`${column}.`);

/** The lines of a file. Throws UserError if every line lacks a field because the head lacks its column. */
export const withColumns = <T>(records: readonly CsvRecord[], lines: readonly ReadLine<T>[]): ReadLine<T>[] => {
  const [first] = lines;
  const [, column = ''] = first && 'problem' in first ? (/^([\w.]+): is required/.exec(first.problem) ?? []) : [];
  const names = Object.keys(records[0]?.fields ?? {});
  const isMissing = column !== '' && !names.some((name) => spellsColumn(name, column));
  if (isMissing && lines.every((one) => 'problem' in one && one.problem.includes(`${column}: is required`))) {
    throw new UserError(`The head has no column ${column}. It has: ${names.join(', ')}.`);
  }
  return [...lines];
};

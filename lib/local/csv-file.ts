import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { codeOf, messageOf, UserError } from './user-error.ts';

/** A line of a CSV file: its number, and its values by the names of the head. */
export type CsvRecord = { line: number; fields: Record<string, string> };

/** Reads a CSV file in UTF-8 with a head; its delimiter may be a comma, a semicolon or a tab. Throws UserError. */
export const readCsvFile = (file: string): { names: readonly string[]; records: CsvRecord[] } => {
  const [head, ...rows] = rowsOf(file, textOf(file));
  const names = head?.fields ?? [];
  const records = rows.map(({ line, fields }) => ({
    line,
    fields: Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ''])),
  }));
  return { names, records };
};

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isOther = error instanceof TypeError;
    throw new UserError(
      `${file} ${isOther ? 'is not text in UTF-8' : `cannot be read (${codeOf(error) ?? messageOf(error)})`}.`,
    );
  }
};

const delimiters = [',', ';', '\t'] as const;

/** The sign that parts the names of the head. */
const delimiterOf = (text: string): string => {
  const head = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, '');
  const partsBy = (sign: string): number => head.split(sign).length;
  return delimiters.toSorted((left, right) => partsBy(right) - partsBy(left))[0] ?? ',';
};

type Row = { line: number; fields: string[] };

const rowsOf = (file: string, text: string): Row[] => {
  try {
    const rows: Row[] = [];
    parse(text, {
      ...{ delimiter: delimiterOf(text), relaxColumnCount: true, skipEmptyLines: true },
      onRecord: (fields: string[], { lines }) => {
        rows.push({ line: lines, fields });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw new UserError(`${file} is not a CSV file: ${error.message}.`);
    throw error;
  }
};

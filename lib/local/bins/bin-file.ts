import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { type BinRecord, type BinTable, readBinTable } from '#payments/fraud/bins/bins.ts';
import { codeOf, messageOf, UserError } from '../user-error.ts';

/** Reads a table of BINs from a CSV file with a head. Throws UserError. */
export const readBinFile = (file: string): BinTable & { lines: number } => {
  const text = textOf(file);
  const [head, ...rows] = rowsOf(file, text);
  const names = head?.fields ?? [];
  const records: BinRecord[] = rows.map(({ line, fields }) => ({
    line,
    fields: Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ''])),
  }));
  const table = readBinTable(names, records);
  const problems = Array.isArray(table) ? table : table.ranges.size === 0 ? ['no line of it could be used'] : [];
  if (Array.isArray(table) || problems.length > 0) {
    throw new UserError(`${file} was not imported:\n  ${problems.join('\n  ')}`);
  }
  return { ...table, lines: records.length };
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

import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { type BinRecord, type BinTable, readBinTable } from '../../functions/fraud/bins.ts';
import { codeOf, messageOf, PlainError } from './plain-error.ts';

/** Reads a table of BINs from a CSV file with a head, separated by commas or semicolons. Throws PlainError. */
export const readBinFile = (file: string): BinTable & { lines: number } => {
  const text = textOf(file);
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const [names = [], ...rows] = rowsOf(file, text, head.includes(',') ? ',' : ';');
  const records: BinRecord[] = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
  const table = readBinTable(names, records);
  if (Array.isArray(table)) throw new PlainError(`${file} was not imported:\n  ${table.join('\n  ')}`);
  return { ...table, lines: records.length };
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlainError(`${file} cannot be read (${codeOf(error) ?? messageOf(error)}).`);
  }
};

const rowsOf = (file: string, text: string, delimiter: string): string[][] => {
  try {
    return parse(text, { bom: true, delimiter, relaxColumnCount: true });
  } catch (error) {
    if (error instanceof CsvError) throw new PlainError(`${file} is no CSV file: ${error.message}.`);
    throw error;
  }
};

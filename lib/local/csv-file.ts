import { readFileSync } from 'node:fs';
import { type CsvFault, type CsvRecord, readCsvTable } from '#core/kernel/csv/csv-table.ts';
import { codeIn, errorText, UserError } from './user-error.ts';

/** Reads a CSV file in UTF-8 with a head: see `readCsvTable`. Throws UserError. */
export const readCsvFile = (file: string): { names: readonly string[]; records: readonly CsvRecord[] } => {
  const table = readCsvTable(readCsvText(file));
  if ('fault' in table) throw new UserError(describeFault(file, table.fault));
  return table;
};

const describeFault = (file: string, fault: CsvFault): string => {
  if (fault.kind === 'column_twice')
    return `${file}: the head has the column ${fault.name} twice. Remove or rename one.`;
  const words = {
    quote_open: 'a quote that begins a cell is not closed',
    quote_inside: 'a cell without quotes around it has a quote inside',
    quote_after: 'text follows the quote that closes a cell',
  } as const;
  return `${file} is not a CSV file: line ${fault.line}: ${words[fault.kind]}.`;
};

const readCsvText = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isOther = error instanceof TypeError;
    throw new UserError(
      `${file} ${isOther ? 'is not text in UTF-8' : `cannot be read (${codeIn(error) ?? errorText(error)})`}.`,
    );
  }
};

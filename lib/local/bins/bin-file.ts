import { type BinTable, readBinTable } from '#payments/fraud/bins/bins.ts';
import { readCsvFile } from '../csv-file.ts';
import { UserError } from '../user-error.ts';

/** Reads a table of BINs from a CSV file with a head. Throws UserError. */
export const readBinFile = (file: string): BinTable & { lines: number } => {
  const { names, records } = readCsvFile(file);
  const table = readBinTable(names, records);
  const problems = Array.isArray(table) ? table : table.ranges.size === 0 ? ['no line of it could be used'] : [];
  if (Array.isArray(table) || problems.length > 0) {
    throw new UserError(`${file} was not imported:\n  ${problems.join('\n  ')}`);
  }
  return { ...table, lines: records.length };
};

import { type CsvRecord, findRowFault } from '#core/kernel/csv/csv-table.ts';
import type { StatementLine } from '#disputes/costs/statement/statement.ts';
import {
  findStatementColumns,
  lineFaultWords,
  readStatementCells,
  readStatementRecords,
  type SeenLine,
} from '#disputes/costs/statement/statement-file.ts';
import { applyMapping, type ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import { type ReadLine, withColumns } from './rows.ts';

const readMapped = (mapping: ProviderMapping, record: CsvRecord): SeenLine => {
  const fault = findRowFault(record);
  return fault ? { line: record.line, fault } : readStatementCells(record.line, applyMapping(mapping, record.fields));
};

/** Each line of a statement, with `caseId`, `kind` (charge or credit), `amount` and `currency`; or what is wrong with it. */
export const readStatementLines = (
  records: readonly CsvRecord[],
  mapping: ProviderMapping | undefined,
): ReadLine<StatementLine>[] => {
  const seen = mapping
    ? records.map((record) => readMapped(mapping, record))
    : readStatementRecords(records, findStatementColumns(Object.keys(records[0]?.fields ?? {})));
  const lines = seen.map((one) => ('read' in one ? one : { line: one.line, problem: lineFaultWords(one.fault) }));
  return mapping ? lines : withColumns(records, lines);
};

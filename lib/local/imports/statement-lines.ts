import { parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { StatementLine } from '#disputes/costs/statement/statement.ts';
import { applyMapping, type ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import type { CsvRecord } from '../csv-file.ts';
import { nestFields, type ReadLine, readLines, spelledAs, withColumns } from './rows.ts';

const columns = { entries: { caseId: {}, kind: {}, amount: {}, currency: {} } };

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out, as the intake takes them out of names
const controls = /[\u0000-\u001f\u007f]+/g;

const cellText = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).replace(controls, ' ').trim();

const kinds = ['charge', 'credit'] as const;

const readLine = (fields: Readonly<Record<string, unknown>>, line: number): StatementLine => {
  const [caseId, sent] = [cellText(fields['caseId']), cellText(fields['kind']).toLowerCase() || 'charge'];
  const kind = kinds.find((one) => one === sent);
  if (!('amount' in fields)) throw new Refusal('request_invalid', 'amount: is required');
  const money = parseAmount(cellText(fields['amount']), cellText(fields['currency']).toUpperCase());
  if (caseId === '') throw new Refusal('request_invalid', 'caseId: is required');
  if (!kind) throw new Refusal('request_invalid', `kind: must be one of ${kinds.join(', ')}`);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  return { line, caseId, kind, amount: money };
};

/** Each line of a statement, with `caseId`, `kind` (charge or credit), `amount` and `currency`; or what is wrong with it. */
export const readStatementLines = (
  records: readonly CsvRecord[],
  mapping: ProviderMapping | undefined,
): ReadLine<StatementLine>[] => {
  const spelled = mapping ? records : spelledAs(columns, records);
  const lines = spelled.flatMap((record) =>
    readLines([record], (given) => readLine(mapping ? applyMapping(mapping, given) : nestFields(given), record.line)),
  );
  return mapping ? lines : withColumns(spelled, lines);
};

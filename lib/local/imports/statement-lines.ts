import { parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { StatementLine } from '#disputes/costs/statement/statement.ts';
import { applyMapping, type ProviderMapping } from '#disputes/providers/mapping/mapping.ts';
import type { CsvRecord } from '../csv-file.ts';
import { nestFields, type ReadLine, readLines } from './rows.ts';

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

const kinds = ['charge', 'credit'] as const;

const readLine = (fields: Readonly<Record<string, unknown>>, line: number): StatementLine => {
  const [caseId, sent] = [textOf(fields['caseId']), textOf(fields['kind']).toLowerCase() || 'charge'];
  const kind = kinds.find((one) => one === sent);
  const money = parseAmount(textOf(fields['amount']), textOf(fields['currency']).toUpperCase());
  if (caseId === '') throw new Refusal('request_invalid', 'caseId: is required');
  if (!kind) throw new Refusal('request_invalid', `kind: must be one of ${kinds.join(', ')}`);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  return { line, caseId, kind, amount: money };
};

/** Each line of a statement, with `caseId`, `kind` (charge or credit), `amount` and `currency`; or what is wrong with it. */
export const readStatementLines = (
  records: readonly CsvRecord[],
  mapping: ProviderMapping | undefined,
): ReadLine<StatementLine>[] =>
  records.flatMap(({ line, fields }) =>
    readLines([{ line, fields }], (given) =>
      readLine(mapping ? applyMapping(mapping, given) : nestFields(given), line),
    ),
  );

import { type CsvRecord, findRowFault, type RowFault, rowFaultWords } from '#core/kernel/csv/csv-table.ts';
import { decimalWords, exponentOf, isDecimal, type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { StatementLine } from './statement.ts';

/** Reads the lines of a statement. For the command and the browser, which show the same lines as read. */

/** The cells that a line needs; the others of a statement are not read. */
export const statementCells = ['caseId', 'kind', 'amount', 'currency'] as const;
export type StatementCell = (typeof statementCells)[number];

/** Why a line cannot be read. `currency`: none of ISO 4217; `decimal`: no number; `decimals`: more than the currency has. */
export type LineFault =
  | RowFault
  | { kind: 'missing'; name: StatementCell }
  | { kind: 'kind' | 'currency' | 'decimal' }
  | { kind: 'decimals'; currency: string; decimals: number };

/** A line of a statement as it was read, or what is wrong with it. */
export type SeenLine = { line: number; read: StatementLine } | { line: number; fault: LineFault };

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out, as the intake takes them out of names
const controls = /[\u0000-\u001f\u007f]+/g;

const cellText = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).replace(controls, ' ').trim();

const kinds = ['charge', 'credit'] as const;

/** Reads a line from its cells: an empty `kind` is a charge. */
export const readStatementCells = (
  line: number,
  cells: Readonly<Partial<Record<StatementCell, unknown>>>,
): SeenLine => {
  const { caseId, kind, amount, currency } = {
    caseId: cellText(cells.caseId),
    kind: cellText(cells.kind).toLowerCase() || 'charge',
    amount: cellText(cells.amount),
    currency: cellText(cells.currency).toUpperCase(),
  };
  if (cells.amount === undefined) return { line, fault: { kind: 'missing', name: 'amount' } };
  if (caseId === '') return { line, fault: { kind: 'missing', name: 'caseId' } };
  const known = kinds.find((one) => one === kind);
  if (!known) return { line, fault: { kind: 'kind' } };
  const money = parseAmount(amount, currency);
  return typeof money === 'string'
    ? { line, fault: amountFault(amount, currency) }
    : { line, read: { line, caseId, kind: known, amount: money } };
};

const amountFault = (amount: string, currency: string): LineFault => {
  const decimals = exponentOf(currency);
  if (decimals === undefined) return { kind: 'currency' };
  return isDecimal(amount) ? { kind: 'decimals', currency, decimals } : { kind: 'decimal' };
};

/** The fault in the words of the API, after the name of its field. */
export const lineFaultWords = (fault: LineFault): string => {
  switch (fault.kind) {
    case 'missing':
      return `${fault.name}: is required`;
    case 'kind':
      return `kind: must be one of ${kinds.join(', ')}`;
    case 'currency':
      return 'amount: needs a currency of ISO 4217';
    case 'decimal':
      return `amount: ${decimalWords}`;
    case 'decimals':
      return `amount: has more decimals than ${fault.currency} has (${fault.decimals})`;
    default:
      return rowFaultWords(fault);
  }
};

/** Which column has which cell: a column's name, or no column. */
export type StatementColumns = Readonly<Record<StatementCell, string | null>>;

/** The columns whose names say what they have, in any case. */
export const findStatementColumns = (names: readonly string[]): StatementColumns => {
  const find = (cell: string) => names.find((name) => name.toLowerCase() === cell.toLowerCase()) ?? null;
  return { caseId: find('caseId'), kind: find('kind'), amount: find('amount'), currency: find('currency') };
};

/** Reads lines by their columns. `currency`: of all lines, where no column has one. */
export const readStatementRecords = (
  records: readonly CsvRecord[],
  columns: StatementColumns,
  currency = '',
): SeenLine[] =>
  records.map((record) => {
    const fault = findRowFault(record);
    if (fault) return { line: record.line, fault };
    const cell = (name: string | null) => (name === null ? '' : record.fields[name]);
    return readStatementCells(record.line, {
      caseId: cell(columns.caseId),
      kind: cell(columns.kind),
      amount: cell(columns.amount) || undefined,
      currency: columns.currency === null ? currency : cell(columns.currency),
    });
  });

/** The sums of lines by currency, charges less credits, in minor units. */
export const sumStatementLines = (lines: readonly StatementLine[]): Money[] => {
  const sums = new Map<string, bigint>();
  for (const { kind, amount } of lines) {
    const signed = kind === 'charge' ? amount.minor : -amount.minor;
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + signed);
  }
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
};

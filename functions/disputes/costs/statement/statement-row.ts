import * as v from 'valibot';
import { nullableNumbers, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import type { Finding, StatementComparison } from './statement.ts';

/**
 * A statement that was imported: what a provider billed for a month, compared with its alerts. `findings`: how many of each kind. `claimable`: the
 * billed alerts whose credit could be claimed then.
 */
export type StatementReport = Pick<StatementComparison, 'lines' | 'totals'> & {
  provider: SigningProvider;
  month: string;
  importedAt: string;
  findings: Readonly<Record<string, number>>;
  claimable: readonly number[];
  /** The number of pages of findings. */
  pages: number;
  /** The number of lines of the file that could not be read, and the first of them. Absent in older rows. */
  unread?: number;
  problems?: readonly UnreadLine[];
};

/** A line of a file that could not be read. */
export type UnreadLine = { line: number; problem: string };

const ReportRow = defineRow<StatementReport>({
  entity: 'STATEMENT',
  attribute: 'statement',
  schema: v.looseObject({
    ...texts('provider', 'month', 'importedAt'),
    lines: v.number(),
    totals: v.array(
      v.looseObject({ currency: v.string(), billed: v.string(), credited: v.string(), questioned: v.string() }),
    ),
    findings: v.record(v.string(), v.number()),
    claimable: v.array(v.number()),
    pages: v.number(),
    unread: v.exactOptional(v.number()),
    problems: v.exactOptional(v.array(v.looseObject({ line: v.number(), problem: v.string() }))),
  }),
});

const FindingsRow = defineRow<{ list: readonly Finding[] }>({
  entity: 'STATEMENT_FINDINGS',
  attribute: 'page',
  schema: v.looseObject({
    list: v.array(
      v.looseObject({
        ...texts('finding', 'case_id', 'amount', 'currency'),
        ...nullableNumbers('line', 'alert_id', 'mid'),
        agreed: v.nullable(v.string()),
        agreed_currency: v.nullable(v.string()),
      }),
    ),
  }),
});

export const toStatementItem = (statement: StatementReport): Item => ({
  ...keys.statement(statement.provider, statement.month),
  ...ReportRow.stamp,
  statement,
});
export const fromStatementItem = ReportRow.find;

type PageOf = Pick<StatementReport, 'provider' | 'month' | 'importedAt'>;

export const toFindingsItem = (
  { provider, month, importedAt }: PageOf,
  page: number,
  list: readonly Finding[],
): Item => ({
  ...keys.statementFindings(provider, month, importedAt, page),
  ...FindingsRow.stamp,
  page: { list },
});
export const fromFindingsItem = FindingsRow.find;

/** A statement as it is listed, names as on the wire. */
export const toStatementDto = ({ unread = 0, problems = [], ...report }: StatementReport) => {
  const { provider, month, importedAt, lines, totals, findings, claimable } = report;
  return {
    ...{ provider, month, imported_at: importedAt, lines, findings: { ...findings }, claimable: [...claimable] },
    totals: [...totals],
    unread,
    problems: [...problems],
  };
};

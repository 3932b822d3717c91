import { iso, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, getItem, putItem, queryItems } from '#core/platform/table/table.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import type { Finding, StatementComparison } from './statement.ts';
import {
  fromFindingsItem,
  fromStatementItem,
  type StatementReport,
  toFindingsItem,
  toStatementItem,
  type UnreadLine,
} from './statement-row.ts';

/** Findings of one row: a row has 400 KB, and a finding less than 400 bytes. */
const findingsPerPage = 500;

const countFindings = (findings: readonly Finding[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { finding } of findings) counts[finding] = (counts[finding] ?? 0) + 1;
  return counts;
};

/** The number of unread lines that are stored with their problems. */
const maxProblems = 100;

/** Checks whether a file that could not be read whole says less than what is stored. */
const isEmptier = (lines: number, unread: number, before: StatementReport): boolean =>
  lines < before.lines && (unread > 0 || lines === 0);

type Compared = StatementComparison & { claimable: readonly number[]; problems?: readonly UnreadLine[] };

/** Returns the report of a comparison, as it is stored. */
export const makeStatementReport = (
  of: Pick<StatementReport, 'provider' | 'month'>,
  { lines, totals, findings, claimable, problems = [] }: Compared,
  findingsPerRow = findingsPerPage,
): StatementReport => ({
  ...of,
  ...{ importedAt: nowIso(), lines, totals, findings: countFindings(findings), claimable },
  ...{ pages: Math.ceil(findings.length / findingsPerRow) },
  ...{ unread: problems.length, problems: problems.slice(0, maxProblems) },
});

/**
 * Stores the comparison of a statement in place of an earlier one of the same provider and month, unless it could not be read whole and has fewer
 * lines than that one. Its findings are written before the row that names them, so a report is whole at any time. Of two imports at once, the later
 * one replaces the other. `findingsPerRow`: for tests. Throws changed_meanwhile.
 */
export const storeStatement = async (
  of: { provider: SigningProvider; month: string },
  compared: Compared,
  findingsPerRow = findingsPerPage,
): Promise<{ report: StatementReport; isStored: boolean }> => {
  const { lines, findings, problems = [] } = compared;
  let latest = 0;
  const save = async (): Promise<{ report: StatementReport; isStored: boolean }> => {
    const before = fromStatementItem(await getItem(keys.statement(of.provider, of.month)));
    if (before && isEmptier(lines, problems.length, before)) return { report: before, isStored: false };
    // Findings are kept by the time of their import: each attempt has its own, later than the one that it replaces.
    latest = Math.max(nowMilliseconds(), latest + 1, before ? Date.parse(before.importedAt) + 1 : 0);
    const report = { ...makeStatementReport(of, compared, findingsPerRow), importedAt: iso(latest) };
    for (let page = 0; page < report.pages; page += 1) {
      const from = page * findingsPerRow;
      await putItem(toFindingsItem(report, page, findings.slice(from, from + findingsPerRow)), isNew);
    }
    await putItem(toStatementItem(report), before ? isAsRead(before) : isNew);
    return { report, isStored: true };
  };
  const saved = await retryOnConflict(save, { onExhausted: changedMeanwhile });
  if (saved.isStored) await removeEarlierFindings(saved.report);
  return saved;
};

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' } as const;

const isAsRead = ({ importedAt }: StatementReport) => ({
  ConditionExpression: '#statement.#importedAt = :importedAt',
  ExpressionAttributeNames: { '#statement': 'statement', '#importedAt': 'importedAt' },
  ExpressionAttributeValues: { ':importedAt': importedAt },
});

/** Removes what earlier imports of the month have left, also those that were cut off. */
const removeEarlierFindings = async ({ provider, month, importedAt }: StatementReport): Promise<void> => {
  const { pk, sk } = keys.statementFindings(provider, month, importedAt, 0);
  for (;;) {
    const { items } = await queryItems({
      KeyConditionExpression: 'pk = :pk AND sk < :present',
      ExpressionAttributeValues: { ':pk': pk, ':present': sk },
      ProjectionExpression: 'pk, sk',
    });
    if (items.length === 0) return;
    for (const item of items) await deleteItem({ Key: { pk, sk: String(item['sk']) } });
  }
};

/** Returns the stored statements, the newest month first. */
export const listStatements = async (): Promise<StatementReport[]> => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.statement('', '').pk },
    ScanIndexForward: false,
  });
  return items.flatMap((item) => fromStatementItem(item) ?? []);
};

/** Returns a stored statement with a page of its findings, counted from 0. Throws statement_not_found. */
export const readProviderStatement = async (
  provider: SigningProvider,
  month: string,
  page: number,
): Promise<{ report: StatementReport; findings: readonly Finding[] }> => {
  const report = fromStatementItem(await getItem(keys.statement(provider, month)));
  if (!report) throw new Refusal('statement_not_found', 'month: no statement of this provider and month was imported.');
  const item = await getItem(keys.statementFindings(provider, month, report.importedAt, page));
  return { report, findings: fromFindingsItem(item)?.list ?? [] };
};

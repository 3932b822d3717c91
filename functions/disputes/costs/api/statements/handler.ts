import { endpoint } from '#core/platform/http/http.ts';
import { listStatements, readProviderStatement } from '../../statement/statement-report-store.ts';
import type { StatementReport } from '../../statement/statement-row.ts';
import { statementsOperation } from './operation.ts';

const toDto = ({ unread = 0, problems = [], ...report }: StatementReport) => {
  const { provider, month, importedAt, lines, totals, findings, claimable } = report;
  return {
    ...{ provider, month, imported_at: importedAt, lines, findings: { ...findings }, claimable: [...claimable] },
    totals: [...totals],
    unread,
    problems: [...problems],
  };
};

export const handler = endpoint(statementsOperation, async ({ body: { provider, month, page } }) => {
  if (provider === undefined || month === undefined)
    return { statements: (await listStatements()).map(toDto), findings: [], next_page: null };
  const { report, findings } = await readProviderStatement(provider, month, page);
  const next_page = page + 1 < report.pages ? page + 1 : null;
  return { statements: [toDto(report)], findings: [...findings], next_page };
});

import { endpoint } from '#core/platform/http/http.ts';
import { listStatements, readProviderStatement } from '../../statement/statement-report-store.ts';
import { toStatementDto } from '../../statement/statement-row.ts';
import { statementsOperation } from './operation.ts';

export const handler = endpoint(statementsOperation, async ({ body: { provider, month, page } }) => {
  if (provider === undefined || month === undefined)
    return { statements: (await listStatements()).map(toStatementDto), findings: [], next_page: null };
  const { report, findings } = await readProviderStatement(provider, month, page);
  const next_page = page + 1 < report.pages ? page + 1 : null;
  return { statements: [toStatementDto(report)], findings: [...findings], next_page };
});

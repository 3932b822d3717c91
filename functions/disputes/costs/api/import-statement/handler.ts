import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { makeStatementReport, storeStatement } from '../../statement/statement-report-store.ts';
import { toStatementDto } from '../../statement/statement-row.ts';
import { compareWithStatement } from '../../statement/statement-store.ts';
import { importStatementOperation } from './operation.ts';

export const handler = auditedEndpoint(importStatementOperation, async ({ body }) => {
  const { provider, month, lines, unread: problems, dry_run: isDryRun } = body;
  const compared = { ...(await compareWithStatement({ provider, month }, lines)), problems };
  const { report, isStored } = isDryRun
    ? { report: makeStatementReport({ provider, month }, compared), isStored: false }
    : await storeStatement({ provider, month }, compared);
  return { status: 'ok' as const, stored: isStored, statement: toStatementDto(report) };
});

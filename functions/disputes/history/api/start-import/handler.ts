import { nowIso } from '#core/kernel/clock.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { importSpan } from '../../import/history-import.ts';
import { toImportDto } from '../../import/history-import-row.ts';
import { startImport } from '../../import/history-import-store.ts';
import { startImportOperation } from './operation.ts';

export const handler = auditedEndpoint(startImportOperation, async ({ params: { mid, id }, body, caller }) => {
  const wanted = { ...importSpan(body, nowIso()), what: body.what };
  return toImportDto(await startImport({ mid, connection: id }, wanted, caller));
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toImportDto } from '../../import/history-import-row.ts';
import { changeImportForCaller } from '../../import/history-import-store.ts';
import { changeImportOperation } from './operation.ts';

export const handler = auditedEndpoint(changeImportOperation, async ({ params, body: { action }, caller }) => {
  const { mid, id: connection, import_id: id } = params;
  return toImportDto(await changeImportForCaller({ mid, connection, id }, action, caller));
});

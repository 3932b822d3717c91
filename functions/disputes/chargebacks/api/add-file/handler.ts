import { endpoint } from '#core/platform/http/http.ts';
import { toChargebackDto } from '../../chargeback-row.ts';
import { addFileForCaller } from '../../files/evidence-files-flow.ts';
import { addFileOperation } from './operation.ts';

export const handler = endpoint(addFileOperation, async ({ params: { id }, body, caller }) => {
  const { file_id: fileId, ...file } = body;
  return toChargebackDto(await addFileForCaller(id, { fileId, ...file }, caller));
});

import { endpoint } from '#core/platform/http/http.ts';
import { toChargebackDto } from '../../chargeback-row.ts';
import { removeFileForCaller } from '../../files/evidence-files-flow.ts';
import { removeFileOperation } from './operation.ts';

export const handler = endpoint(removeFileOperation, async ({ params: { id }, body, caller }) =>
  toChargebackDto(await removeFileForCaller(id, body.file_id, caller)),
);

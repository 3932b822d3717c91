import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackDetails, ChargebackParams, FileIdField } from '../../schemas.ts';

export const removeFileOperation = defineOperation('chargebacks/remove-file', {
  summary: 'Remove a file from the evidence',
  description: 'Deletes the file. Removing a file that does not exist also succeeds.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/files/remove',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  body: v.object({ file_id: FileIdField }),
  reply: ChargebackDetails,
  errors: ['chargeback_not_found', 'chargeback_over', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], objects: ['DeleteObject evidence'] },
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackDetails, ChargebackParams, EvidenceKindField, FileIdField } from '../../schemas.ts';

export const addFileOperation = defineOperation('chargebacks/add-file', {
  summary: 'Add an uploaded file to the evidence',
  description:
    'Checks by its content that the file is a PDF without a password, a PNG or a JPEG, and what it expands to: at most 500 pages, 12 million pixels of a PNG, 64 million of a JPEG. The file replaces an earlier file ' +
    'of the same kind. Repeating the call changes nothing.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/files/add',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  body: v.object({
    file_id: FileIdField,
    kind: EvidenceKindField,
    name: describeField(Text(120), 'The file name that people see.'),
  }),
  reply: ChargebackDetails,
  errors: ['chargeback_not_found', 'chargeback_over', 'upload_not_found', 'file_not_accepted', 'changed_meanwhile'],
  grants: {
    table: ['GetItem', 'PutItem'],
    objects: ['GetObject uploads', 'PutObject evidence', 'DeleteObject evidence'],
  },
  // A PDF is parsed, and a picture inflated, to see that they stay within limits.
  memoryMegabytes: 1024,
});

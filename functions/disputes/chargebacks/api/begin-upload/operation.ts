import * as v from 'valibot';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { evidenceFileTypes, maxEvidenceBytes } from '#payments/processors/ports/evidence-kinds.ts';
import { ChargebackParams, FileIdReply } from '../../schemas.ts';

export const beginUploadOperation = defineOperation('chargebacks/begin-upload', {
  summary: 'Get an upload address for an evidence file',
  description:
    'Send the file by `PUT` to `url` within 15 minutes, with the returned `headers` and exactly the stated number of bytes. Then ' +
    'call `…/files/add`, which checks the file and adds it to the chargeback. Files may be PDF, PNG or JPEG, with 4.5 MB in total.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/files/upload',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  body: v.object({
    type: describeField(
      v.picklist(evidenceFileTypes, `must be one of ${evidenceFileTypes.join(', ')}`),
      'The type of the file. Its content is also checked.',
    ),
    bytes: v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(maxEvidenceBytes, `must be at most ${maxEvidenceBytes}`),
      v.description('The size of the file in bytes.'),
    ),
  }),
  reply: v.object({
    file_id: FileIdReply,
    url: text('The address to which the file is sent by `PUT`.'),
    headers: describeField(v.record(v.string(), v.string()), 'The headers to send with the file.'),
    expires_at: text('The time at which the address expires (ISO 8601, UTC).'),
  }),
  errors: ['chargeback_not_found', 'chargeback_over'],
  grants: { table: ['GetItem'], objects: ['PutObject uploads'] },
});

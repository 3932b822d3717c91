import * as v from 'valibot';
import { PlainNameReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { letterFontFiles } from '../../letter/letter-font-files.ts';
import { ChargebackParams } from '../../schemas.ts';

const packetFormats = ['pdf', 'zip'] as const;

export const buildPacketOperation = defineOperation('chargebacks/build-packet', {
  summary: 'Make a PDF or a ZIP of the evidence',
  description:
    'The PDF has the response as a letter, followed by the uploaded files. Upload it in a processor’s portal, or check it before you submit ' +
    'the evidence. The ZIP also has each file by itself and the facts as JSON.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/packet',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'developer', 'manager'],
  params: ChargebackParams,
  body: v.object({
    format: describeField(
      v.optional(v.picklist(packetFormats, `must be one of ${packetFormats.join(', ')}`), 'pdf'),
      'The format of the packet.',
    ),
  }),
  reply: v.object({
    name: PlainNameReply,
    url: text('The download address, which works for 15 minutes.'),
    expires_at: text('The time at which the address expires (ISO 8601, UTC).'),
    bytes: count('The size of the packet in bytes.'),
    pages: count('The number of pages of the PDF.'),
    left_out: describeField(
      v.array(v.string()),
      'Names of files that could not be made part of the PDF; send these separately.',
    ),
  }),
  errors: ['chargeback_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: ['encryption'],
    objects: ['GetObject evidence', 'PutObject exports', 'GetObject exports'],
  },
  assets: letterFontFiles,
  // Pictures are decoded to be put on a page.
  memoryMegabytes: 1024,
});

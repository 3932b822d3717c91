import * as v from 'valibot';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { QuarantinedDto, QuarantinePath } from '../../quarantine/schemas.ts';

export const quarantineDetailsOperation = defineOperation('alerts/quarantine-details', {
  summary: 'Show a provider message that could not be read',
  description:
    'Returns its text, why it was refused, how often it arrived, and whether it was resubmitted or dismissed.',
  method: 'POST',
  path: '/api/v3/service_alerts/quarantine/{id}/details',
  auth: 'admin',
  params: QuarantinePath,
  reply: v.object({
    ...QuarantinedDto.entries,
    text: text('As it was sent, with card numbers masked.'),
  }),
  errors: ['quarantine_entry_not_found'],
  grants: { table: ['GetItem'] },
});

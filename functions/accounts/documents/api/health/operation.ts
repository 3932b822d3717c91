import * as v from 'valibot';
import { StatusOkField } from '#core/kernel/schema/field-schemas.ts';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const healthOperation = defineOperation('documents/health', {
  tag: 'health',
  summary: 'Check whether the service works',
  description: 'For monitors: 200 once the table has answered a read; alarms report whatever else is wrong.',
  method: 'GET',
  path: '/health',
  auth: 'public',
  reply: v.object({
    status: StatusOkField,
    time: text('The service’s clock (ISO 8601, UTC).'),
  }),
  errors: [],
  grants: { table: ['GetItem'] },
});

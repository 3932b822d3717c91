import * as v from 'valibot';
import { Ok, Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '../../schemas.ts';

export const noteAlert = defineOperation({
  area: 'alerts',
  name: 'note-alert',
  summary: 'Add a note about an alert for colleagues',
  description:
    'The note appears in the alert’s history with its author, whatever the alert’s status. It is not an answer: neither the network ' +
    'nor your endpoint is told about it. With a header `idempotency-key`, repeating the call adds no second note.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/note',
  auth: 'bearer',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({ note: Text(2000) }),
  reply: v.object({
    ...Ok.entries,
    msg: v.string(),
    alert_id: v.number(),
    noted_at: v.string(),
  }),
  errors: ['alert_not_found', 'idempotency_key_reused'],
  grants: { table: ['GetItem', 'PutItem'] },
});

import * as v from 'valibot';
import { AlertIdReply, MsgReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { MaskedText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '../../schemas.ts';

export const noteAlertOperation = defineOperation('alerts/note-alert', {
  summary: 'Add a note about an alert for colleagues',
  description:
    'The note appears in the alert’s history with its author, whatever the alert’s status. It is not an answer: neither the network ' +
    'nor your endpoint is told about it. With a header `idempotency-key`, repeating the call adds no second note. ' +
    'A user of the alert’s merchant whom it mentions as `@name` gets it by e-mail.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/note',
  auth: 'bearer',
  permission: 'alerts:answer',
  tool: {
    kind: 'act',
    consequences:
      'The note is added to the history of the alert, where colleagues read it. It cannot be removed. The card network and the customer do not see it.',
    about: 'alerts/alert-details',
  },
  siteKeys: 'found',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({ note: describeField(MaskedText(2000), 'A remark by the person who did it.') }),
  reply: v.object({
    ...Ok.entries,
    msg: MsgReply,
    alert_id: AlertIdReply,
    noted_at: text('When the note was added (ISO 8601, UTC).'),
  }),
  errors: ['alert_not_found', 'idempotency_key_reused'],
  grants: { table: ['GetItem', 'PutItem'], indexes: ['list2'] },
});

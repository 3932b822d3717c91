import * as v from 'valibot';
import { AlertIdReply, MsgReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AssigneeReply } from '../../field-schemas.ts';
import { AlertParams } from '../../schemas.ts';

export const setAssigneeOperation = defineOperation('alerts/set-assignee', {
  summary: 'Assign an alert to a user',
  description:
    'The user must be an analyst or a manager of the alert’s merchant, and is notified by e-mail. `null` removes the assignment. It is not an ' +
    'answer: neither the network nor your endpoint is notified, and everyone who could answer the alert still can.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}',
  auth: 'bearer',
  permission: 'alerts:answer',
  siteKeys: 'found',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({
    assignee: describeField(
      v.nullable(Text(100)),
      'The username, with or without the merchant’s suffix; null for none.',
    ),
  }),
  reply: v.object({ ...Ok.entries, msg: MsgReply, alert_id: AlertIdReply, assignee: AssigneeReply }),
  errors: ['alert_not_found', 'user_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], indexes: ['list2'] },
});

import * as v from 'valibot';
import { describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { DeliveryParams } from '../../schemas.ts';

export const notificationRequestOperation = defineOperation('webhooks/request', {
  tag: 'notifications',
  summary: 'Show a notification as it would be sent now, with its signature',
  description:
    'For sending it to your own receiver while you build one: URL, headers and body, signed with the present time, so that the signature is valid ' +
    'for five minutes. Nothing is sent. The header `authorization` is left out, as its token is a secret.',
  method: 'POST',
  path: '/api/v3/notifications/{id}/request',
  auth: 'bearer',
  permission: 'settings',
  roles: ['developer', 'manager'],
  params: DeliveryParams,
  reply: v.object({
    method: describeField(v.literal('POST'), 'How it is sent.'),
    url: nullableText('Null while the site has no URL for it; for a chat, only its host.'),
    headers: describeField(
      v.record(v.string(), v.string()),
      'As they would be sent now, the three of the signature among them.',
    ),
    body: text('Exactly these bytes, in UTF-8, are signed.'),
    token_set: flag('Whether the header `authorization` is sent as well.'),
  }),
  errors: ['notification_not_found'],
  grants: { table: ['GetItem'], secrets: ['encryption'] },
  variables: ['DASHBOARD_URL'],
});

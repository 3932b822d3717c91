import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { DeliveryParams } from '../../schemas.ts';

export const notificationRequestOperation = defineOperation({
  area: 'webhooks',
  tag: 'notifications',
  name: 'request',
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
    method: v.pipe(v.literal('POST'), v.description('How it is sent.')),
    url: v.pipe(
      v.nullable(v.string()),
      v.description('Null while the site has no URL for it; for a chat, only its host.'),
    ),
    headers: v.pipe(
      v.record(v.string(), v.string()),
      v.description('As they would be sent now, the three of the signature among them.'),
    ),
    body: v.pipe(v.string(), v.description('Exactly these bytes, in UTF-8, are signed.')),
    token_set: v.pipe(v.boolean(), v.description('Whether the header `authorization` is sent as well.')),
  }),
  errors: ['notification_not_found'],
  grants: { table: ['GetItem'], secrets: ['encryption'] },
  variables: ['DASHBOARD_URL'],
});

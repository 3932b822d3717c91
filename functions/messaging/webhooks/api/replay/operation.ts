import * as v from 'valibot';
import { IdReply } from '#core/kernel/schema/field-schemas.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { DeliveryParams } from '../../schemas.ts';

/** A replay was asked for. */
export const Replayed = v.object({ ...Ok.entries, id: IdReply });

export const replayNotificationOperation = defineOperation('webhooks/replay', {
  tag: 'notifications',
  summary: 'Send a notification again immediately',
  description: 'Whatever its state. The attempt carries the same webhook-id as earlier ones.',
  method: 'POST',
  path: '/api/v3/notifications/{id}/replay',
  auth: 'bearer',
  permission: 'settings:data',
  tool: {
    kind: 'act',
    name: 'replay_notification',
    consequences:
      'The notification is sent again to the URL of the site, with the same webhook-id. The managers of the merchant are notified by e-mail.',
    about: 'webhooks/details',
  },
  roles: ['developer', 'manager'],
  params: DeliveryParams,
  body: v.object({}),
  reply: Replayed,
  errors: ['notification_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  diverts: 'data',
});

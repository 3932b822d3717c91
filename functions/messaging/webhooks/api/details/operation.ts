import * as v from 'valibot';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { attemptFields, DeliveryParams, deliveryFields } from '../../schemas.ts';

/** One delivery with the replies it got. */
export const DeliveryDetails = v.object({
  ...deliveryFields,
  content_type: text('How the body is written: a form, or JSON.'),
  body: text('What is sent, as the site is set up now.'),
  attempts: describeField(
    v.array(
      v.object({
        ...attemptFields,
        response: text("The reply's first 16 KiB, without control characters; card numbers and secrets masked."),
      }),
    ),
    'What was tried, in order.',
  ),
});

export const notificationDetailsOperation = defineOperation('webhooks/details', {
  tag: 'notifications',
  summary: 'Show one notification with every attempt and the reply to it',
  description: 'The first 16 KiB of each reply, secrets and card numbers masked.',
  method: 'POST',
  path: '/api/v3/notifications/{id}/details',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: { kind: 'read', name: 'notification_details' },
  params: DeliveryParams,
  reply: DeliveryDetails,
  errors: ['notification_not_found'],
  grants: { table: ['GetItem'] },
  variables: ['DASHBOARD_URL'],
});

import * as v from 'valibot';
import { defineOperation } from '../core/operation.ts';
import { DeliveryDetails, DeliveryPage, DeliveryParams, ListDeliveries, Replayed } from './schemas.ts';

export const listNotifications = defineOperation({
  area: 'notifications',
  name: 'list',
  summary: 'List notifications and their attempts',
  description: "Newest first, filtered by site, alert, state, kind and date. Attempts come without the replies' text.",
  method: 'POST',
  path: '/api/v3/notifications/list',
  auth: 'bearer',
  body: ListDeliveries,
  formats: ['json', 'form'],
  reply: DeliveryPage,
  errors: ['merchant_not_found', 'site_not_found', 'alert_not_found'],
  grants: {
    table: ['GetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

export const notificationDetails = defineOperation({
  area: 'notifications',
  name: 'details',
  summary: 'Show one notification with every attempt and the reply to it',
  description: 'The first 16 KiB of each reply, secrets and card numbers masked.',
  method: 'POST',
  path: '/api/v3/notifications/{id}/details',
  auth: 'bearer',
  params: DeliveryParams,
  reply: DeliveryDetails,
  errors: ['notification_not_found'],
  grants: { table: ['GetItem'] },
});

export const replayNotification = defineOperation({
  area: 'notifications',
  name: 'replay',
  summary: 'Send a notification again at once',
  description: 'Whatever its state. The attempt carries the same webhook-id as those before it.',
  method: 'POST',
  path: '/api/v3/notifications/{id}/replay',
  auth: 'bearer',
  params: DeliveryParams,
  body: v.object({}),
  reply: Replayed,
  errors: ['notification_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

export const notificationOperations = [listNotifications, notificationDetails, replayNotification] as const;

import * as v from 'valibot';
import {
  AlertIdField,
  DateFromField,
  DateToField,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { deliveryStates } from '../../delivery/delivery.ts';
import { deliveryKinds } from '../../delivery/delivery-policy.ts';
import { attemptFields, deliveryFields } from '../../schemas.ts';

/** Which deliveries to list. */
export const ListDeliveries = FormFields({
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  alert_id: v.optional(AlertIdField),
  state: describeField(
    v.optional(OneOrMore(deliveryStates)),
    'PENDING while it is tried, DELIVERED, EXPIRED after 72 hours, CANCELLED when the answer came first.',
  ),
  kind: describeField(
    v.optional(OneOrMore(deliveryKinds)),
    'new_alert, status_update, enrollment_update, alert_deadline or postback.',
  ),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

/** One delivery of a list. */
export const DeliverySummarySchema = v.object({
  ...deliveryFields,
  attempts: describeField(v.array(v.object(attemptFields)), "Without the replies' text, which the details show."),
});

export const DeliveryPage = pageReply(DeliverySummarySchema);

export const listNotificationsOperation = defineOperation('webhooks/list', {
  tag: 'notifications',
  summary: 'List notifications and their attempts',
  description:
    "Newest first, filtered by site, alert, state, kind and date. Attempts come without the replies' text. In the list of its alert a notification appears immediately, in other lists from its first attempt on.",
  method: 'POST',
  path: '/api/v3/notifications/list',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: {
    kind: 'read',
    name: 'list_notifications',
    hint: 'These are the webhooks. Those that fail are PENDING with failed attempts, or EXPIRED.',
  },
  siteKeys: 'named',
  body: ListDeliveries,
  formats: ['json', 'form'],
  reply: DeliveryPage,
  errors: ['merchant_not_found', 'site_not_found', 'alert_not_found'],
  grants: {
    table: ['GetItem', 'UpdateItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list4', 'list4f'],
  },
});

import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { FormFields, FromTime, Id, OneOrMore, pageFields, pageReply, ToTime } from '../../core/schema.ts';
import { alertTypes } from '../../providers/provider-alert.ts';
import { alertStatuses } from '../alert.ts';
import { AlertSummary } from '../schemas.ts';

export const AlertPage = pageReply(AlertSummary);

/** Which alerts to list. `date_from` and `date_to` are about receipt. */
export const ListAlerts = FormFields({
  status: v.optional(OneOrMore(alertStatuses)),
  alert_type: v.optional(OneOrMore(alertTypes)),
  mid: v.optional(Id),
  rid: v.optional(Id),
  sid: v.optional(Id),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

export const listAlerts = defineOperation({
  area: 'alerts',
  name: 'list-alerts',
  summary: 'List alerts',
  description: "Newest first, filtered by status, type, merchant, retailer, site and receipt's date.",
  method: 'POST',
  path: '/api/v3/service_alerts/alerts',
  auth: 'bearer',
  body: ListAlerts,
  formats: ['json', 'form'],
  reply: AlertPage,
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

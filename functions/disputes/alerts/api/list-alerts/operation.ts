import * as v from 'valibot';
import {
  Flag,
  FormFields,
  FromTime,
  Id,
  OneOrMore,
  pageFields,
  pageReply,
  ToTime,
} from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertStatuses } from '../../alert.ts';
import { decisionResults } from '../../automatic/automatic.ts';
import { summaryFields } from '../../schemas.ts';

/** An alert of a site as its list shows it. */
export const ListedAlert = v.object({
  ...summaryFields,
  rule: v.pipe(
    v.nullable(
      v.object({
        rule_id: v.number(),
        name: v.string(),
        result: v.picklist(decisionResults),
        reason: v.pipe(v.nullable(v.string()), v.description('Why nothing was done; null if it was.')),
      }),
    ),
    v.description('What an automatic rule decided; null if none has.'),
  ),
  held_txid: v.pipe(
    v.optional(v.nullable(v.number())),
    v.description(
      'The payment of yours that is held for it; null if none is. Present if `with_held_txid` asks for it.',
    ),
  ),
});
export type ListedAlert = v.InferOutput<typeof ListedAlert>;
export const AlertPage = pageReply(ListedAlert);

/** Which alerts to list. `date_from` and `date_to` are about receipt. */
export const ListAlerts = FormFields({
  status: v.optional(OneOrMore(alertStatuses)),
  alert_type: v.optional(OneOrMore(alertTypes)),
  mid: v.optional(Id),
  rid: v.optional(Id),
  sid: v.optional(Id),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  with_held_txid: v.pipe(v.optional(Flag, false), v.description('Whether to answer `held_txid` of each alert, too.')),
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
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

import * as v from 'valibot';
import {
  AlertIdField,
  DateFromField,
  DateToField,
  PlainNameReply,
  RuleIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { Flag, FormFields, Ids, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertStatuses } from '../../alert.ts';
import { decisionResults } from '../../automatic/automatic.ts';
import { AssigneeReply, RefundedByReply } from '../../field-schemas.ts';
import { alertSummaryFields } from '../../schemas.ts';

/** An alert of a site as its list shows it. */
export const ListedAlert = v.object({
  ...alertSummaryFields,
  rule: describeField(
    v.nullable(
      v.object({
        rule_id: RuleIdReply,
        name: PlainNameReply,
        result: describeField(v.picklist(decisionResults), 'What came of it.'),
        reason: nullableText('Why nothing was done; null if it was.'),
      }),
    ),
    'What an automatic rule decided; null if none has.',
  ),
  refunded_by: RefundedByReply,
  assignee: AssigneeReply,
  held_txid: describeField(
    v.optional(v.nullable(v.number())),
    'The payment of yours that is held for it; null if none is. Present if `with_held_txid` asks for it.',
  ),
});
export type ListedAlert = v.InferOutput<typeof ListedAlert>;
export const AlertPage = pageReply(ListedAlert);

/** Which alerts to list. `date_from` and `date_to` are about receipt. */
export const ListAlerts = FormFields({
  status: describeField(
    v.optional(OneOrMore(alertStatuses)),
    'OPEN until it is answered; WIP and OTHER while you work on it; RESOLVED and DECLINED are final.',
  ),
  alert_type: describeField(
    v.optional(OneOrMore(alertTypes)),
    'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
  ),
  mid: describeField(v.optional(Ids), 'The merchant.'),
  rid: describeField(v.optional(Ids), 'The retailer.'),
  sid: describeField(v.optional(Ids), 'The site.'),
  alert_ids: describeField(
    v.optional(v.pipe(v.array(AlertIdField, 'must be a list'), v.maxLength(100, 'must have at most 100 ids'))),
    'Only these alerts, whatever else is asked for; those that you may not see are left out.',
  ),
  assignee: describeField(
    v.optional(Text(100)),
    'Only alerts that are assigned to this user. The username in full; not together with `rid` or `sid`. Operators also name the merchant.',
  ),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  with_held_txid: describeField(v.optional(Flag, false), 'Whether to answer `held_txid` of each alert, too.'),
  ...pageFields,
});

export const listAlertsOperation = defineOperation('alerts/list-alerts', {
  summary: 'List alerts',
  description:
    'Newest first, filtered by status, type, date of receipt, user, and up to 20 merchants, retailers or sites.',
  method: 'POST',
  path: '/api/v3/service_alerts/alerts',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: {
    kind: 'read',
    hint: 'The alerts that are due have the status OPEN, WIP or OTHER; `deadline` says until when they can be answered.',
  },
  siteKeys: 'named',
  body: ListAlerts,
  formats: ['json', 'form'],
  reply: AlertPage,
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f', 'list5f'],
  },
});

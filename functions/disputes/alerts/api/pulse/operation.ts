import * as v from 'valibot';
import { AlertDateReply, AlertIdReply, MerchantIdField, SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const PulseBody = v.object({ mid: v.optional(MerchantIdField), sid: v.optional(SiteIdField) });

export const PulseReply = v.object({
  open: count('How many alerts await an answer: OPEN, WIP and OTHER. Test alerts are not counted.'),
  due_soon: count(
    'How many of them are late or due within 6 hours at most, by the shortest deadline of their type and to the hour.',
  ),
  newest: describeField(
    v.nullable(v.object({ alert_id: AlertIdReply, alert_date: AlertDateReply })),
    'The alert that came in last; null if there is none.',
  ),
  revision: text('Another text when an alert came in or changed its status.'),
});

export const pulseOperation = defineOperation('alerts/pulse', {
  summary: 'See at a glance whether anything is new',
  description:
    'Read from the counts, which follow the alerts within a second or so: cheap enough to call every few seconds.',
  method: 'POST',
  path: '/api/v3/service_alerts/alerts/pulse',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: { kind: 'read', name: 'count_due_alerts' },
  body: PulseBody,
  formats: ['json', 'form'],
  reply: PulseReply,
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['BatchGetItem', 'Query'], indexes: ['list1', 'list2', 'list4'] },
});

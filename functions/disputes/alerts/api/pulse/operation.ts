import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const PulseBody = v.object({ mid: v.optional(Id), sid: v.optional(Id) });

export const PulseReply = v.object({
  open: v.pipe(v.number(), v.description('How many alerts await an answer: OPEN, WIP and OTHER.')),
  due_soon: v.pipe(
    v.number(),
    v.description('How many of them are late or due within 6 hours, by the usual deadlines and to the hour.'),
  ),
  newest: v.nullable(v.object({ alert_id: v.number(), alert_date: v.string() })),
  revision: v.pipe(v.string(), v.description('Another text when an alert came in or changed its status.')),
});

export const pulse = defineOperation({
  area: 'alerts',
  name: 'pulse',
  summary: 'See at a glance whether anything is new',
  description:
    'Read from the counts, which follow the alerts within a second or so: cheap enough to call every few seconds.',
  method: 'POST',
  path: '/api/v3/service_alerts/alerts/pulse',
  auth: 'bearer',
  body: PulseBody,
  formats: ['json', 'form'],
  reply: PulseReply,
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['BatchGetItem'], indexes: ['list1', 'list2', 'list4'] },
});

import * as v from 'valibot';
import { AlertIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertProviders } from '#disputes/providers/providers.ts';

export const ReasonCodesAsked = v.pipe(
  v.object({
    alert_id: v.optional(AlertIdField),
    provider: describeField(
      v.optional(v.picklist(alertProviders, `must be one of ${alertProviders.join(', ')}`)),
      'The alert provider.',
    ),
  }),
  v.check(
    ({ alert_id, provider }) => (alert_id === undefined) !== (provider === undefined),
    'send alert_id or provider',
  ),
);

export const ReasonCode = v.object({
  reason_code: text('Reason and result, such as 100.001.'),
  meaning: text('What the code means.'),
  outcome: describeField(v.picklist(['RESOLVED', 'DECLINED', 'WIP']), 'The status it goes with.'),
  needs: describeField(
    v.array(v.picklist(['alert_outcome_amount', 'comments', 'duplicate_alertid'])),
    'What else an update with this code must contain.',
  ),
});

export const listReasonCodesOperation = defineOperation('alerts/list-reason-codes', {
  summary: 'List the reason codes with which an alert can be answered',
  description: 'Of an alert, or of a provider. Empty for alerts that take no answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/reason-codes',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: { kind: 'read' },
  body: ReasonCodesAsked,
  reply: v.object({
    list: describeField(v.array(ReasonCode), 'The codes, in order.'),
    in_force_since: nullableText(
      'The day since which the network uses this mapping (YYYY-MM-DD); null if it names none.',
    ),
  }),
  errors: ['alert_not_found'],
  grants: { table: ['GetItem'] },
});

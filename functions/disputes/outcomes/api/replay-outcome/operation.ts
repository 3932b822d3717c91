import * as v from 'valibot';
import { IdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { outcomeStates } from '#disputes/alerts/answer/network-outcome.ts';
import { OutcomeParams } from '../../schemas.ts';

export const replayOutcomeOperation = defineOperation('outcomes/replay-outcome', {
  summary: 'Report an outcome to its provider again',
  description:
    "Immediately, and with the usual retries after that. Only for an alert's latest outcome, while the provider does not have it.",
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/replay',
  auth: 'bearer',
  permission: 'alerts:answer',
  roles: ['developer', 'manager'],
  params: OutcomeParams,
  body: v.object({}),
  reply: v.object({
    ...Ok.entries,
    id: IdReply,
    state: describeField(v.picklist(outcomeStates), 'PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.'),
  }),
  errors: ['outcome_not_found', 'outcome_settled', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

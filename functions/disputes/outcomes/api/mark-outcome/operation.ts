import * as v from 'valibot';
import { Ok, OptionalText } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { outcomeStates } from '#disputes/alerts/answer/outcome.ts';
import { OutcomeParams } from '../../schemas.ts';

export const markOutcome = defineOperation({
  area: 'outcomes',
  name: 'mark-outcome',
  summary: 'Record what became of an outcome at its provider',
  description:
    "For one that a person entered in the provider's portal, or found there; its state must be MANUAL, REFUSED or EXPIRED. The alert's history says who did it.",
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/mark',
  auth: 'admin',
  params: OutcomeParams,
  body: v.object({
    state: v.picklist(['ACCEPTED', 'REFUSED'], 'must be ACCEPTED or REFUSED'),
    note: OptionalText(500),
  }),
  reply: v.object({ ...Ok.entries, id: v.string(), state: v.picklist(outcomeStates) }),
  errors: ['outcome_not_found', 'outcome_settled', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

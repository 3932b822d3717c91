import * as v from 'valibot';
import { IdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { OptionalMaskedText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { outcomeStates } from '#disputes/alerts/answer/network-outcome.ts';
import { OutcomeParams } from '../../schemas.ts';

export const markOutcomeOperation = defineOperation('outcomes/mark-outcome', {
  summary: 'Record what became of an outcome at its provider',
  description:
    "For one that a person entered in the provider's portal, or found there; its state must be MANUAL, REFUSED or EXPIRED. The alert's history says who did it.",
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/mark',
  auth: 'admin',
  params: OutcomeParams,
  body: v.object({
    state: describeField(
      v.picklist(['ACCEPTED', 'REFUSED'], 'must be ACCEPTED or REFUSED'),
      'PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
    ),
    note: describeField(OptionalMaskedText(500), 'A remark by the person who did it.'),
  }),
  reply: v.object({
    ...Ok.entries,
    id: IdReply,
    state: describeField(v.picklist(outcomeStates), 'PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.'),
  }),
  errors: ['outcome_not_found', 'outcome_settled', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

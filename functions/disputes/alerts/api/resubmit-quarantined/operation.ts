import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AtMost, allowsCardNumbers, LongText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { QuarantinedDto, QuarantinePath } from '../../quarantine/schemas.ts';

export const resubmitQuarantinedOperation = defineOperation('alerts/resubmit-quarantined', {
  summary: 'Correct a provider message and accept it, or dismiss it',
  description:
    '`message` is accepted as if the provider had sent it, and the history says so; if it is not valid, the answer is 400 and nothing changes. `dismiss`, ' +
    'sent instead, gives the reason for not making an alert of it. Repeating either gives the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/quarantine/{id}/resubmit',
  auth: 'admin',
  params: QuarantinePath,
  body: v.object({
    message: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown(), 'must be an object'),
        AtMost(200_000),
        allowsCardNumbers('a provider’s message, of which the intake masks each field'),
        v.description('In the words of its provider; see its intake.'),
      ),
    ),
    dismiss: describeField(v.optional(LongText(500)), 'Why it was dismissed.'),
  }),
  reply: QuarantinedDto,
  errors: ['quarantine_entry_not_found', 'changed_meanwhile'],
  variables: ['OPERATIONS_MAIL', 'PROVIDER_MAPPINGS'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['encryption'],
  },
});

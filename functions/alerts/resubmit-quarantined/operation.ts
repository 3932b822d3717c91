import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Text } from '../../core/schema.ts';
import { QuarantinedDto, QuarantinePath } from '../quarantine/schemas.ts';

export const resubmitQuarantined = defineOperation({
  area: 'alerts',
  name: 'resubmit-quarantined',
  summary: 'Correct what a provider sent and take it in, or dismiss it',
  description:
    '`message` is taken as if the provider had sent it, which the history shows; what is wrong with it is 400 and changes nothing. With `dismiss` ' +
    'instead, the reason why nothing is to come of it. Both again: the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/quarantine/{id}/resubmit',
  auth: 'admin',
  params: QuarantinePath,
  body: v.object({
    message: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown(), 'must be an object'),
        v.description('In the words of its provider; see its intake.'),
      ),
    ),
    dismiss: v.optional(Text(500)),
  }),
  reply: QuarantinedDto,
  errors: ['quarantine_entry_not_found', 'alert_not_found', 'changed_meanwhile'],
  variables: ['OPERATIONS_MAIL'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
});

import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { orAbsent } from '#disputes/providers/provider-fields.ts';
import { AlertParams, updateWith } from '../../schemas.ts';
import { UpdateReply } from '../update-alert/operation.ts';

const Body = updateWith({
  sid: v.pipe(orAbsent(Id), v.description('The alert’s site, if you know it: that is quicker.')),
});

export const answerAlertOperation = defineOperation({
  area: 'alerts',
  name: 'answer-alert',
  summary: 'Record what a person did about an alert',
  description:
    'The same as the update with a site’s rcode, by the same rules, for callers who have a token. The history names the user. Repeating ' +
    'the final update gives the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/update',
  auth: 'bearer',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: Body,
  reply: UpdateReply,
  errors: ['alert_not_found', 'reason_code_invalid', 'alert_closed', 'alert_takes_no_outcome', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

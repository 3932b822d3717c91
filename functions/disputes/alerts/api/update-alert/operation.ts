import * as v from 'valibot';
import { AlertIdField, MsgReply, ReasonCodeReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertStatuses } from '../../alert.ts';
import { updateWith } from '../../schemas.ts';

/** The same with the alert's identifier. */
export const UpdateBody = updateWith({ alert_id: AlertIdField });

export const UpdateReply = v.object({
  ...Ok.entries,
  msg: MsgReply,
  alert_id: text('The alert.'),
  alert_status: describeField(v.picklist(alertStatuses), 'The alert’s status now.'),
  reason_code: ReasonCodeReply,
});

export const updateAlertOperation = defineOperation('alerts/update-alert', {
  summary: 'Record what the merchant did about an alert',
  description: "The site's secret goes into the header `rcode`. Repeating the final update gives the same answer.",
  method: 'POST',
  path: '/secure/alert/update/v2/',
  auth: 'site',
  body: UpdateBody,
  reply: UpdateReply,
  errors: [
    'rcode_wrong',
    'alert_not_found',
    'reason_code_invalid',
    'alert_closed',
    'alert_takes_no_outcome',
    'changed_meanwhile',
  ],
  grants: { table: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
});

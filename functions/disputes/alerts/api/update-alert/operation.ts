import * as v from 'valibot';
import { Id, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertStatuses } from '../../alert.ts';
import { updateWith } from '../../schemas.ts';

/** The same with the alert's identifier. */
export const UpdateBody = updateWith({ alert_id: Id });

export const UpdateReply = v.object({
  ...Ok.entries,
  msg: v.string(),
  alert_id: v.string(),
  alert_status: v.picklist(alertStatuses),
  reason_code: v.string(),
});

export const updateAlert = defineOperation({
  area: 'alerts',
  name: 'update-alert',
  summary: 'Record what the merchant did about an alert',
  description: "The site's secret goes into the header `rcode`. Repeating the final update gives the same answer.",
  method: 'POST',
  path: '/secure/alert/update/v2/',
  aliases: ['/secure/alert/update/v2'],
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

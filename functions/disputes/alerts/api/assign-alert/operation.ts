import * as v from 'valibot';
import { AlertIdReply, SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '../../schemas.ts';

export const AssignBody = v.object({ sid: SiteIdField });

export const Assigned = v.object({ ...Ok.entries, alert_id: AlertIdReply });

export const assignAlertOperation = defineOperation('alerts/assign-alert', {
  summary: 'Assign an unmatched alert to a site',
  description:
    'From then on it is an alert like any other: the site is notified. Its deadline is the network’s, which does not wait for the assignment.',
  method: 'POST',
  path: '/api/v3/service_alerts/unmatched/{alert_id}/assign',
  auth: 'admin',
  params: AlertParams,
  body: AssignBody,
  reply: Assigned,
  errors: ['alert_not_found', 'site_not_found', 'site_not_for_alerts', 'alert_already_assigned', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
});

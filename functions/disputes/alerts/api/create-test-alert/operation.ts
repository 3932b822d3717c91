import * as v from 'valibot';
import { AlertIdReply, MsgReply, SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { flag } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { TestAlertBody } from '../../schemas.ts';

export const TestAlertMade = v.object({
  ...Ok.entries,
  msg: MsgReply,
  alert_id: AlertIdReply,
  sid: SiteIdReply,
  is_duplicate: flag('Whether an alert about the same transaction came before.'),
});

export const createTestAlertOperation = defineOperation('alerts/create-test-alert', {
  summary: 'Create a test alert and run the whole workflow on it',
  description:
    "The site is the one that `sid` names, or else the one whose enrolled descriptor matches, among the caller's. Webhooks, e-mails and deadlines follow as for a real alert, which is marked as a test. `alert_id` withdraws an earlier test alert of type DISPUTE_RDR instead.",
  method: 'POST',
  path: '/secure/alerts/service_dummy',
  aliases: ['/api/v3/secure/alerts/service_dummy'],
  auth: 'bearer',
  permission: 'settings',
  roles: ['developer', 'manager'],
  body: TestAlertBody,
  reply: TestAlertMade,
  errors: ['onboarding_incomplete', 'site_not_found', 'alert_not_found'],
  grants: { table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
});

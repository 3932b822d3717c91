import * as v from 'valibot';
import { Id, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { RefundedAlertIdReply } from '#payments/transactions/field-schemas.ts';

export const linkAlertOperation = defineOperation({
  area: 'refunds',
  tag: 'transactions',
  name: 'link-alert',
  summary: 'Link a dispute alert to its payment',
  description:
    'For an alert that several payments fit: names one of its `potential_txids`. That one is then kept from other refunds while ' +
    'the alert is open. Repeating the call gives the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/link',
  auth: 'bearer',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({ txid: v.pipe(Id, v.description('The transaction.')) }),
  reply: v.object({
    ...Ok.entries,
    alert_id: RefundedAlertIdReply,
    held_txid: v.pipe(v.number(), v.description('The payment of yours that is held for the alert.')),
  }),
  errors: ['alert_not_found', 'payment_not_linked', 'alert_closed', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], indexes: ['list3f'] },
});

import * as v from 'valibot';
import { describeField, nullableCount } from '#core/kernel/schema/field-words.ts';
import { Id, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { Maybe } from '#payments/payments/request-schemas.ts';
import { RefundedAlertIdReply } from '#payments/transactions/field-schemas.ts';

export const linkAlertOperation = defineOperation('refunds/link-alert', {
  tag: 'transactions',
  summary: 'Link a dispute alert to its payment',
  description:
    'For an alert that several payments fit: names one of its `potential_txids`. That one is then kept from other refunds while ' +
    'the alert is open. `txid: null` states that the alert is not about the payment that it holds. That payment is released, and ' +
    'no longer held for this alert or refunded by a rule. Repeating the call returns the same answer. Both decisions appear in the ' +
    'history of the alert, with the evidence for the match.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/link',
  auth: 'bearer',
  permission: 'alerts:answer',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({
    txid: describeField(v.nullable(Id), 'The transaction; null to release the one that the alert holds.'),
    held_txid: describeField(
      Maybe(Id),
      'With `txid: null`: the payment to release. Name it, so that a repeated call does not release the next one that fits.',
    ),
  }),
  reply: v.object({
    ...Ok.entries,
    alert_id: RefundedAlertIdReply,
    held_txid: nullableCount('Your payment that is held for the alert.'),
  }),
  errors: [
    'alert_not_found',
    'payment_not_linked',
    'alert_closed',
    'already_refunded_for_dispute',
    'changed_meanwhile',
  ],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], indexes: ['list3f'] },
});

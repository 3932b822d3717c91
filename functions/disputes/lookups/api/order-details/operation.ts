import * as v from 'valibot';
import { AlertIdReply, AlertTypeReply, AtReply, TransactionIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { LookupDto, OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { OrderMoneyStateReply } from '#payments/orders/field-schemas.ts';
import { ce3Results } from '../../lookup/lookup.ts';

const missing = v.array(v.string());

export const OrderDetails = v.object({
  order: OrderDto,
  money_state: OrderMoneyStateReply,
  payment: describeField(
    v.nullable(
      v.object({
        txid: TransactionIdReply,
        captured: text('What was captured.'),
        refunded: text('How much was refunded.'),
        voided: flag('Whether it was voided.'),
        processor: nullableText('The processor.'),
        reference: nullableText("The processor's own identifier of the payment."),
      }),
    ),
    'What became of the payment, where the service took it.',
  ),
  alerts: describeField(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        alert_type: AlertTypeReply,
        at: AtReply,
        status: nullableText('The status of the alert.'),
      }),
    ),
    'Alerts about the order.',
  ),
  chargebacks: describeField(
    v.array(
      v.object({
        chargeback_id: text('The chargeback.'),
        type: text('CHARGEBACK or INQUIRY.'),
        at: AtReply,
      }),
    ),
    'Inquiries and chargebacks about the order, until they are won.',
  ),
  lookups: describeField(v.array(LookupDto), 'The newest 20.'),
  readiness: describeField(
    v.object({
      provider_a: describeField(missing, 'What is missing for provider_a.'),
      provider_b: describeField(missing, 'What is missing for provider_b.'),
      ce3: describeField(missing, 'What is missing for Compelling Evidence 3.0.'),
      ce3_result: describeField(v.picklist(ce3Results), 'Whether it qualifies.'),
    }),
    'What is missing for each program; and whether the order would qualify as evidence if it were disputed now.',
  ),
});

export const orderDetailsOperation = defineOperation('lookups/order-details', {
  tag: 'orders',
  summary: 'Show a stored order',
  description: 'With its payment, its alerts, the look-ups that showed it, and what it lacks for each program.',
  method: 'POST',
  path: '/api/v3/orders/{id}/details',
  auth: 'bearer',
  permission: 'orders:read',
  params: OrderPath,
  reply: OrderDetails,
  errors: ['order_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'], indexes: ['list3'] },
});

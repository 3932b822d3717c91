import * as v from 'valibot';
import { AlertIdReply, AlertTypeReply, AtReply, TransactionIdReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { LookupDto, OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { ce3Results } from '../../lookup/lookup.ts';

const missing = v.array(v.string());

export const OrderDetails = v.object({
  order: OrderDto,
  payment: v.pipe(
    v.nullable(
      v.object({
        txid: TransactionIdReply,
        captured: v.pipe(v.string(), v.description('What was captured.')),
        refunded: v.pipe(v.string(), v.description('What was refunded.')),
        voided: v.pipe(v.boolean(), v.description('Whether it was voided.')),
        processor: v.pipe(v.nullable(v.string()), v.description('The processor.')),
        reference: v.pipe(v.nullable(v.string()), v.description("The processor's own identifier of the payment.")),
      }),
    ),
    v.description('What became of the payment, where the service took it.'),
  ),
  alerts: v.pipe(
    v.array(
      v.object({
        alert_id: AlertIdReply,
        alert_type: AlertTypeReply,
        at: AtReply,
        status: v.pipe(v.nullable(v.string()), v.description('What became of the order, or of the entry.')),
      }),
    ),
    v.description('Alerts about the order.'),
  ),
  chargebacks: v.pipe(
    v.array(
      v.object({
        chargeback_id: v.pipe(v.string(), v.description('The chargeback.')),
        type: v.pipe(v.string(), v.description('CHARGEBACK or INQUIRY.')),
        at: AtReply,
      }),
    ),
    v.description('Inquiries and chargebacks about the order, until they are won.'),
  ),
  lookups: v.pipe(v.array(LookupDto), v.description('The newest 20.')),
  readiness: v.pipe(
    v.object({
      provider_a: v.pipe(missing, v.description('How ready the merchant is for provider_a.')),
      provider_b: v.pipe(missing, v.description('How ready the merchant is for provider_b.')),
      ce3: v.pipe(missing, v.description('What Compelling Evidence 3.0 needs, and what is there.')),
      ce3_result: v.pipe(v.picklist(ce3Results), v.description('Whether it qualifies.')),
    }),
    v.description(
      'What is missing for each program; and whether the order would qualify as evidence if it were disputed now.',
    ),
  ),
});

export const orderDetailsOperation = defineOperation({
  area: 'lookups',
  tag: 'orders',
  name: 'order-details',
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

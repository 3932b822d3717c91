import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { LookupDto, OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { ce3Results } from '../../lookup/lookup.ts';

const missing = v.array(v.string());

export const OrderDetails = v.object({
  order: OrderDto,
  payment: v.pipe(
    v.nullable(
      v.object({
        txid: v.number(),
        captured: v.string(),
        refunded: v.string(),
        voided: v.boolean(),
        processor: v.nullable(v.string()),
        reference: v.pipe(v.nullable(v.string()), v.description("The processor's own identifier of the payment.")),
      }),
    ),
    v.description('What became of the payment, where the service took it.'),
  ),
  alerts: v.array(
    v.object({ alert_id: v.number(), alert_type: v.string(), at: v.string(), status: v.nullable(v.string()) }),
  ),
  lookups: v.pipe(v.array(LookupDto), v.description('The newest 20.')),
  readiness: v.pipe(
    v.object({
      provider_a: missing,
      provider_b: missing,
      ce3: missing,
      ce3_result: v.picklist(ce3Results),
    }),
    v.description(
      'What is missing for each program; and whether the order would qualify as evidence if it were disputed now.',
    ),
  ),
});

export const orderDetails = defineOperation({
  area: 'lookups',
  tag: 'orders',
  name: 'order-details',
  summary: 'Show a stored order',
  description: 'With its payment, its alerts, the look-ups that showed it, and what it lacks for each program.',
  method: 'POST',
  path: '/api/v3/orders/{id}/details',
  auth: 'bearer',
  params: OrderPath,
  reply: OrderDetails,
  errors: ['order_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'], indexes: ['list3'] },
});

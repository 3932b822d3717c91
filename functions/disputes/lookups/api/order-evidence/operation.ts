import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { ce3Reasons } from '../../evidence/ce3.ts';

const text = v.nullable(v.string());
const Address = v.nullable(
  v.object({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text }),
);
const compared = {
  customer_account_id: text,
  customer_device_fingerprint: text,
  customer_device_id: text,
  customer_email_address: text,
  customer_purchase_ip: text,
  product_description: v.string(),
  shipping_address: Address,
};

export const OrderEvidence = v.object({
  ce3: v.object({
    qualified: v.boolean(),
    reason: v.nullable(v.picklist(ce3Reasons)),
    matched: v.array(v.string()),
    prior_order_ids: v.array(v.number()),
    stripe: v.pipe(
      v.nullable(
        v.object({
          disputed_transaction: v.object({
            ...compared,
            merchandise_or_services: v.picklist(['merchandise', 'services']),
          }),
          prior_undisputed_transactions: v.array(v.object({ charge: text, ...compared })),
        }),
      ),
      v.description("As Stripe's `evidence.enhanced_evidence.visa_compelling_evidence_3` takes it."),
    ),
  }),
  order: OrderDto,
});

export const orderEvidence = defineOperation({
  area: 'lookups',
  tag: 'orders',
  name: 'order-evidence',
  summary: 'Assemble evidence about an order for a representment',
  description:
    "By Visa's Compelling Evidence 3.0: earlier purchases of the same card that share device or address and one thing more. " +
    'Where it does not qualify, `reason` says why.',
  method: 'POST',
  path: '/api/v3/orders/{id}/evidence',
  auth: 'bearer',
  params: OrderPath,
  reply: OrderEvidence,
  errors: ['order_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});

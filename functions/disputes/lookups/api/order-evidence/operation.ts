import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { ce3Reasons } from '../../evidence/ce3.ts';

const text = v.nullable(v.string());
const Address = v.nullable(
  v.object({
    line1: v.pipe(text, v.description('The first line of the address.')),
    line2: v.pipe(text, v.description('The second line of the address.')),
    city: v.pipe(text, v.description('The city.')),
    state: v.pipe(text, v.description('The state of the address, two or three letters.')),
    postal_code: v.pipe(text, v.description('The postal code.')),
    country: v.pipe(text, v.description('ISO 3166-1, two letters.')),
  }),
);
const compared = {
  customer_account_id: v.pipe(text, v.description('The customer’s account with you.')),
  customer_device_fingerprint: v.pipe(text, v.description('The device’s fingerprint.')),
  customer_device_id: v.pipe(text, v.description('The device’s identifier.')),
  customer_email_address: v.pipe(text, v.description('The customer’s e-mail address.')),
  customer_purchase_ip: v.pipe(text, v.description('The IP address it was bought from.')),
  product_description: v.pipe(v.string(), v.description('What was bought.')),
  shipping_address: v.pipe(Address, v.description('Street and number to ship to.')),
};

export const OrderEvidence = v.object({
  ce3: v.pipe(
    v.object({
      qualified: v.pipe(v.boolean(), v.description('Whether it qualifies as Compelling Evidence 3.0.')),
      reason: v.pipe(v.nullable(v.picklist(ce3Reasons)), v.description('Why.')),
      matched: v.pipe(v.array(v.string()), v.description('What the order was found by.')),
      prior_order_ids: v.pipe(
        v.array(v.number()),
        v.description('Orders of the same customer that were not disputed.'),
      ),
      stripe: v.pipe(
        v.nullable(
          v.object({
            disputed_transaction: v.pipe(
              v.object({
                ...compared,
                merchandise_or_services: v.pipe(
                  v.picklist(['merchandise', 'services']),
                  v.description('Whether goods or services were sold.'),
                ),
              }),
              v.description('The transaction in dispute, as Visa’s form has it.'),
            ),
            prior_undisputed_transactions: v.pipe(
              v.array(v.object({ charge: v.pipe(text, v.description('The transaction.')), ...compared })),
              v.description('Earlier transactions that were not disputed, as Visa’s form has them.'),
            ),
          }),
        ),
        v.description("As Stripe's `evidence.enhanced_evidence.visa_compelling_evidence_3` takes it."),
      ),
    }),
    v.description('What Compelling Evidence 3.0 needs, and what is there.'),
  ),
  order: OrderDto,
});

export const orderEvidenceOperation = defineOperation({
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
  permission: 'orders:read',
  params: OrderPath,
  reply: OrderEvidence,
  errors: ['order_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});

import * as v from 'valibot';
import { describeField, flag } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderDto, OrderPath } from '#payments/orders/dto-schemas.ts';
import { ce3Reasons } from '../../evidence/ce3.ts';

const text = v.nullable(v.string());
const Address = v.nullable(
  v.object({
    line1: describeField(text, 'The first line of the address.'),
    line2: describeField(text, 'The second line of the address.'),
    city: describeField(text, 'The city.'),
    state: describeField(text, 'The state of the address, two or three letters.'),
    postal_code: describeField(text, 'The postal code.'),
    country: describeField(text, 'ISO 3166-1, two letters.'),
  }),
);
const compared = {
  customer_account_id: describeField(text, 'The customer’s account with you.'),
  customer_device_fingerprint: describeField(text, 'The device’s fingerprint.'),
  customer_device_id: describeField(text, 'The device’s identifier.'),
  customer_email_address: describeField(text, 'The customer’s e-mail address.'),
  customer_purchase_ip: describeField(text, 'The IP address it was bought from.'),
  product_description: describeField(v.string(), 'What was bought, in words.'),
  shipping_address: describeField(Address, 'The address to which it was shipped.'),
};

export const OrderEvidence = v.object({
  ce3: describeField(
    v.object({
      qualified: flag('Whether it qualifies as Compelling Evidence 3.0.'),
      reason: describeField(v.nullable(v.picklist(ce3Reasons)), 'Why.'),
      matched: describeField(
        v.array(v.string()),
        'What the earlier transactions have in common with the disputed one.',
      ),
      prior_order_ids: describeField(v.array(v.number()), 'Orders of the same customer that were not disputed.'),
      stripe: describeField(
        v.nullable(
          v.object({
            disputed_transaction: describeField(
              v.object({
                ...compared,
                merchandise_or_services: describeField(
                  v.picklist(['merchandise', 'services']),
                  'Whether goods or services were sold.',
                ),
              }),
              'The transaction in dispute, as Visa’s form has it.',
            ),
            prior_undisputed_transactions: describeField(
              v.array(
                v.object({ charge: describeField(text, 'The processor’s reference of the charge.'), ...compared }),
              ),
              'Earlier transactions that were not disputed, as Visa’s form has them.',
            ),
          }),
        ),
        "As Stripe's `evidence.enhanced_evidence.visa_compelling_evidence_3` takes it.",
      ),
    }),
    'What Compelling Evidence 3.0 needs, and what is there.',
  ),
  order: OrderDto,
});

export const orderEvidenceOperation = defineOperation('lookups/order-evidence', {
  tag: 'orders',
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

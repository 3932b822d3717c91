import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';

/** Orders in answers. Kept apart from the schemas of what is sent, which bring the table of card numbers into a bundle. */

export const OrderPath = v.object({ id: Id });

export const itemTypes = ['physical', 'digital', 'service', 'subscription'] as const;
export const authentications = ['password', 'passkey', 'otp', 'guest'] as const;
export const deliveryTypes = ['physical', 'digital', 'pickup'] as const;
export const deliveryStates = [
  'not_shipped',
  'shipped',
  'in_transit',
  'delivered',
  'pickup',
  'exception',
  'cancelled',
] as const;

const optionalText = v.optional(v.string());
const AddressDto = v.object({
  name: optionalText,
  address: optionalText,
  suburb_city: optionalText,
  state: optionalText,
  country: optionalText,
  postcode: optionalText,
});
const RefundDto = v.object({ amount: v.string(), currency: v.string(), at: v.string(), reference: optionalText });

/** A stored order in answers: what its merchant sent, and what else is known. */
export const OrderDto = v.object({
  order_id: v.number(),
  sid: v.number(),
  mid: v.number(),
  rid: v.number(),
  source: v.picklist(['merchant', 'payment']),
  disputed: v.boolean(),
  created_at: v.string(),
  updated_at: v.string(),
  kept_until: v.string(),
  reference: v.string(),
  order_date: v.string(),
  transaction_date: v.string(),
  amount: v.string(),
  currency: v.string(),
  card_firstsix: v.string(),
  card_lastfour: v.string(),
  card_type: v.string(),
  refunds_made: v.pipe(
    v.array(RefundDto),
    v.description(
      'Refunds that the service made of it, here or at a connection, besides those that were sent in `refunds`.',
    ),
  ),
  items: v.array(
    v.object({
      name: v.string(),
      quantity: v.string(),
      unit: optionalText,
      amount_unit: v.string(),
      sku: optionalText,
      description: optionalText,
      image_url: optionalText,
      url: optionalText,
      type: v.optional(v.picklist(itemTypes)),
    }),
  ),
  amount_subtotal: optionalText,
  amount_shipping: optionalText,
  amount_tax: optionalText,
  amount_coupon: optionalText,
  card_token: optionalText,
  arn: optionalText,
  auth_code: optionalText,
  network_transaction_id: optionalText,
  descriptor: optionalText,
  caid: optionalText,
  customer: v.optional(
    v.object({
      account_id: optionalText,
      firstname: optionalText,
      lastname: optionalText,
      email: optionalText,
      phone: optionalText,
      account_created_at: optionalText,
      last_login_at: optionalText,
      authentication: v.optional(v.picklist(authentications)),
    }),
  ),
  device: v.optional(
    v.object({
      ip: optionalText,
      device_id: optionalText,
      device_fingerprint: optionalText,
      user_agent: optionalText,
      type: optionalText,
    }),
  ),
  billing: v.optional(AddressDto),
  shipping: v.optional(AddressDto),
  deliveries: v.optional(
    v.array(
      v.object({
        type: v.picklist(deliveryTypes),
        status: v.picklist(deliveryStates),
        provider: optionalText,
        tracking_number: optionalText,
        tracking_url: optionalText,
        shipped_at: optionalText,
        delivered_at: optionalText,
        ip: optionalText,
        downloaded_at: optionalText,
        signed_by: optionalText,
      }),
    ),
  ),
  refunds: v.optional(v.array(RefundDto)),
  subscription: v.optional(
    v.object({
      interval: v.string(),
      next_billing_at: optionalText,
      trial_ends_at: optionalText,
      cancelled_at: optionalText,
      cancel_url: optionalText,
      first_order_id: v.optional(v.number()),
    }),
  ),
  processor: v.optional(v.object({ connection: v.string(), reference: v.string() })),
  links: v.optional(
    v.object({
      receipt: optionalText,
      order: optionalText,
      refund_policy: optionalText,
      terms: optionalText,
      cancel: optionalText,
      contact: optionalText,
    }),
  ),
  reported: v.optional(v.boolean()),
});

const nullableText = v.nullable(v.string());

/** A look-up as lists show it. `deflected`: found, and sixty days without an alert, which is an estimate. */
export const LookupDto = v.object({
  lookup_id: v.string(),
  provider: v.picklist(['provider_a', 'provider_b']),
  channel: v.string(),
  at: v.string(),
  result: v.picklist(['found', 'not_found', 'multiple', 'refused', 'error']),
  milliseconds: v.number(),
  card: nullableText,
  amount: nullableText,
  currency: nullableText,
  date: nullableText,
  order_id: v.nullable(v.number()),
  sid: v.nullable(v.number()),
  reference: nullableText,
  shown: v.array(v.string()),
  ce3: v.nullable(v.picklist(['qualified', 'too_few', 'no_device_or_ip', 'one_element', 'credential_unknown'])),
  outcome: v.nullable(v.picklist(['open', 'disputed', 'deflected'])),
});

/** A shop as banks show it beside its orders. */
export const ProfileDto = v.object({
  display_name: optionalText,
  logo_url: optionalText,
  support_email: optionalText,
  support_phone: optionalText,
  support_url: optionalText,
  address: v.optional(v.record(v.string(), v.string())),
  geo: v.optional(v.object({ latitude: v.number(), longitude: v.number() })),
  refund_policy: optionalText,
  refund_policy_url: optionalText,
  terms_url: optionalText,
  cancellation_policy_url: optionalText,
  retain_days: v.number(),
});

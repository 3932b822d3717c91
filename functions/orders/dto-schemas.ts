import * as v from 'valibot';
import { Id } from '../core/schema.ts';

/** What is answered of orders. Apart from what is sent, which brings the table of card numbers. */

export const OrderPath = v.object({ id: Id });

/** A stored order as it is answered: what its merchant sent, and what is known besides. */
export const OrderDto = v.looseObject({
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
  items: v.array(v.looseObject({ name: v.string(), quantity: v.string(), amount_unit: v.string() })),
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

const optionalText = v.optional(v.string());

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

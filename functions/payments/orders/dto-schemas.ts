import * as v from 'valibot';
import {
  AmountReply,
  AtReply,
  CreatedAtReply,
  CurrencyReply,
  MerchantIdReply,
  PlainNameReply,
  RetailerIdReply,
  SiteIdReply,
  UpdatedAtReply,
} from '#core/kernel/schema/field-schemas.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { OrderIdReply, ReferenceReply } from './field-schemas.ts';
import { orderSourceKinds } from './source/order-source.ts';

/** Orders in answers. Kept apart from the schemas of what is sent, which bring the table of card numbers into a bundle. */

export const OrderPath = v.object({ id: v.pipe(Id, v.description('The order, or the site.')) });

export const itemTypes = ['physical', 'digital', 'service', 'subscription'] as const;
export const authentications = ['password', 'passkey', 'otp', 'guest'] as const;
export const deliveryTypes = ['physical', 'digital', 'pickup'] as const;
export const orderDeliveryStates = [
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
  name: v.pipe(optionalText, v.description('The name.')),
  address: v.pipe(optionalText, v.description('Street and number.')),
  suburb_city: v.pipe(optionalText, v.description('Suburb or city.')),
  state: v.pipe(optionalText, v.description('The state of the address, two or three letters.')),
  country: v.pipe(optionalText, v.description('ISO 3166-1, two letters.')),
  postcode: v.pipe(optionalText, v.description('The postal code.')),
});
const RefundDto = v.object({
  amount: AmountReply,
  currency: CurrencyReply,
  at: AtReply,
  reference: v.pipe(optionalText, v.description('Your own number of the order; unique at the site.')),
  charge: v.pipe(optionalText, v.description('The charge that was refunded, of an order with several.')),
});

const ChargeDto = v.object({
  amount: AmountReply,
  at: v.pipe(optionalText, v.description('When it was charged (ISO 8601).')),
  reference: v.pipe(optionalText, v.description('The processor’s reference of the charge.')),
  card_firstsix: v.pipe(optionalText, v.description('The first six digits of its card; absent: the order’s card.')),
  card_lastfour: v.pipe(optionalText, v.description('The last four digits of its card; absent: the order’s card.')),
  card_type: v.pipe(optionalText, v.description('The type of its card; absent: that of the order’s card.')),
  arn: v.pipe(optionalText, v.description('The acquirer reference number, 23 digits.')),
  auth_code: v.pipe(optionalText, v.description('The authorisation code of the charge.')),
});

/** A stored order in answers: what its merchant sent, and what else is known. */
export const OrderDto = v.pipe(
  v.object({
    order_id: OrderIdReply,
    sid: SiteIdReply,
    mid: MerchantIdReply,
    rid: RetailerIdReply,
    source: v.pipe(v.picklist(['merchant', 'payment']), v.description('Where the order came from.')),
    disputed: v.pipe(
      v.boolean(),
      v.description(
        'Whether an alert, an inquiry or a chargeback that was not won says so; in a report, how many were.',
      ),
    ),
    created_at: CreatedAtReply,
    updated_at: UpdatedAtReply,
    kept_until: v.pipe(v.string(), v.description('When it is removed.')),
    reference: ReferenceReply,
    order_date: v.pipe(v.string(), v.description('When it was ordered (ISO 8601).')),
    transaction_date: v.pipe(v.string(), v.description('When the transaction was made (ISO 8601).')),
    amount: AmountReply,
    currency: CurrencyReply,
    card_firstsix: v.pipe(v.string(), v.description('The first six digits of the card number.')),
    card_lastfour: v.pipe(v.string(), v.description('The last four digits of the card number.')),
    card_type: v.pipe(v.string(), v.description('How it is paid: a `paymethod` of the payment options, such as VISA.')),
    refunds_made: v.pipe(
      v.array(RefundDto),
      v.description(
        'Refunds that the service made of it, here or at a connection, besides those that were sent in `refunds`.',
      ),
    ),
    items: v.pipe(
      v.array(
        v.object({
          name: PlainNameReply,
          quantity: v.pipe(v.string(), v.description('How many.')),
          unit: v.pipe(optionalText, v.description('The unit of the quantity.')),
          amount_unit: v.pipe(v.string(), v.description('The price of one, in the same currency.')),
          sku: v.pipe(optionalText, v.description('Your article number.')),
          description: v.pipe(optionalText, v.description('A description for people.')),
          image_url: v.pipe(optionalText, v.description('A picture of the article; https.')),
          url: v.pipe(optionalText, v.description('An address of the shop.')),
          type: v.pipe(v.optional(v.picklist(itemTypes)), v.description('What kind of purchase it was.')),
        }),
      ),
      v.description('What was bought.'),
    ),
    amount_subtotal: v.pipe(optionalText, v.description('The items’ sum.')),
    amount_shipping: v.pipe(optionalText, v.description('Shipping, in the same currency.')),
    amount_tax: v.pipe(optionalText, v.description('Tax, in the same currency.')),
    amount_coupon: v.pipe(optionalText, v.description('What a coupon takes off, in the same currency.')),
    card_token: v.pipe(optionalText, v.description('A digest of the card that stays the same; never its number.')),
    arn: v.pipe(optionalText, v.description('The acquirer reference number, 23 digits.')),
    auth_code: v.pipe(optionalText, v.description('The authorisation code of the transaction.')),
    network_transaction_id: v.pipe(optionalText, v.description('The network’s identifier of the transaction.')),
    descriptor: v.pipe(optionalText, v.description('As it appears on the cardholder’s statement.')),
    caid: v.pipe(optionalText, v.description('The card acceptor ID.')),
    customer: v.pipe(
      v.optional(
        v.object({
          account_id: v.pipe(optionalText, v.description('The customer’s account with you.')),
          firstname: v.pipe(optionalText, v.description('The customer’s first name.')),
          lastname: v.pipe(optionalText, v.description('The customer’s last name.')),
          email: v.pipe(optionalText, v.description('An e-mail address.')),
          phone: v.pipe(optionalText, v.description('A telephone number.')),
          account_created_at: v.pipe(optionalText, v.description('When the account was made.')),
          last_login_at: v.pipe(optionalText, v.description('When the customer last signed in.')),
          authentication: v.pipe(
            v.optional(v.picklist(authentications)),
            v.description('How the payer was authenticated.'),
          ),
        }),
      ),
      v.description('Who bought.'),
    ),
    device: v.pipe(
      v.optional(
        v.object({
          ip: v.pipe(optionalText, v.description('The payer’s IP address.')),
          device_id: v.pipe(optionalText, v.description('The device’s identifier.')),
          device_fingerprint: v.pipe(optionalText, v.description('The device’s fingerprint.')),
          user_agent: v.pipe(optionalText, v.description('The browser.')),
          type: v.pipe(optionalText, v.description('What kind of purchase it was.')),
        }),
      ),
      v.description('On what it was bought.'),
    ),
    billing: v.pipe(v.optional(AddressDto), v.description('Where the bill goes.')),
    shipping: v.pipe(v.optional(AddressDto), v.description('Where it is shipped to.')),
    deliveries: v.pipe(
      v.optional(
        v.array(
          v.object({
            type: v.pipe(v.picklist(deliveryTypes), v.description('What kind of purchase it was.')),
            status: v.pipe(
              v.picklist(orderDeliveryStates),
              v.description('What became of the order, or of the entry.'),
            ),
            provider: v.pipe(optionalText, v.description('The provider that asked.')),
            tracking_number: v.pipe(optionalText, v.description('The carrier’s number.')),
            tracking_url: v.pipe(optionalText, v.description('Where to follow it; https.')),
            shipped_at: v.pipe(optionalText, v.description('When it was shipped.')),
            delivered_at: v.pipe(optionalText, v.description('When it arrived.')),
            ip: v.pipe(optionalText, v.description('The payer’s IP address.')),
            downloaded_at: v.pipe(optionalText, v.description('When it was downloaded.')),
            signed_by: v.pipe(optionalText, v.description('Who signed for it.')),
          }),
        ),
      ),
      v.description('What is on its way, or has arrived.'),
    ),
    refunds: v.pipe(v.optional(v.array(RefundDto)), v.description('What was refunded.')),
    charges: v.pipe(
      v.optional(v.array(ChargeDto)),
      v.description('What was charged to cards, where it was not the whole amount at once to one card.'),
    ),
    subscription: v.pipe(
      v.optional(
        v.object({
          interval: v.pipe(v.string(), v.description('How often it is billed.')),
          next_billing_at: v.pipe(optionalText, v.description('When it is billed next.')),
          trial_ends_at: v.pipe(optionalText, v.description('When the trial ends.')),
          cancelled_at: v.pipe(optionalText, v.description('When it was cancelled.')),
          cancel_url: v.pipe(optionalText, v.description('Where to cancel it; https.')),
          first_order_id: v.pipe(v.optional(v.number()), v.description('The first order of the subscription.')),
        }),
      ),
      v.description('The subscription that the order belongs to.'),
    ),
    processor: v.pipe(
      v.optional(
        v.object({
          connection: v.pipe(v.string(), v.description('Where the money is: the connection.')),
          reference: ReferenceReply,
        }),
      ),
      v.description('The processor.'),
    ),
    links: v.pipe(
      v.optional(
        v.object({
          receipt: v.pipe(optionalText, v.description('The receipt.')),
          order: v.pipe(optionalText, v.description('`desc`: the newest first; `asc`: the oldest first.')),
          refund_policy: v.pipe(optionalText, v.description('The refund policy.')),
          terms: v.pipe(optionalText, v.description('The terms.')),
          cancel: v.pipe(optionalText, v.description('Where to cancel.')),
          contact: v.pipe(optionalText, v.description('Where to ask.')),
        }),
      ),
      v.description('Addresses to show beside the order; https.'),
    ),
    reported: v.pipe(v.optional(v.boolean()), v.description('Whether the customer has reported it already.')),
  }),
  v.description('`desc`: the newest first; `asc`: the oldest first.'),
);

const nullableText = v.nullable(v.string());

/** A look-up as lists show it. `deflected`: found, and 120 days without an alert, which is an estimate. */
export const LookupDto = v.object({
  lookup_id: v.pipe(v.string(), v.description('The look-up.')),
  provider: v.pipe(v.picklist(['provider_a', 'provider_b']), v.description('The provider that asked.')),
  channel: v.pipe(v.string(), v.description('What the provider shows.')),
  at: AtReply,
  result: v.pipe(
    v.picklist(['found', 'not_found', 'multiple', 'refused', 'error']),
    v.description('What came of the look-up.'),
  ),
  milliseconds: v.pipe(v.number(), v.description('How long the look-up took.')),
  card: v.pipe(nullableText, v.description('The card number, masked: the first six and the last four digits.')),
  amount: v.pipe(nullableText, v.description('A decimal with as many places as the currency has.')),
  currency: v.pipe(nullableText, v.description('ISO 4217, three letters.')),
  date: v.pipe(nullableText, v.description('The day (ISO 8601).')),
  order_id: v.nullable(OrderIdReply),
  sid: v.nullable(SiteIdReply),
  reference: v.pipe(nullableText, v.description('Your own number of the order; unique at the site.')),
  shown: v.pipe(v.array(v.string()), v.description('What was shown.')),
  ce3: v.pipe(
    v.nullable(v.picklist(['qualified', 'too_few', 'no_device_or_ip', 'one_element', 'credential_unknown'])),
    v.description('What Compelling Evidence 3.0 needs, and what is there.'),
  ),
  outcome: v.pipe(
    v.nullable(v.picklist(['open', 'disputed', 'deflected'])),
    v.description('The result of the authentication.'),
  ),
});

/** The shop that orders are imported from; its keys only as far as they say which ones they are. */
const SourceDto = v.object({
  kind: v.pipe(v.picklist(orderSourceKinds), v.description('The software of the shop.')),
  connection: v.pipe(optionalText, v.description('Of `shopify`: the connection.')),
  base_url: v.pipe(optionalText, v.description('Of `woocommerce`: the address of the shop.')),
  consumer_key: v.pipe(optionalText, v.description('Of `woocommerce`: the end of the key.')),
  last_run_at: v.pipe(nullableText, v.description('When all orders had been read last (ISO 8601).')),
  next_run_at: v.pipe(nullableText, v.description('When the shop is read next; null: it waits for keys.')),
  imported: v.pipe(v.number(), v.description('How many orders were imported.')),
  updated: v.pipe(v.number(), v.description('How often refunds or deliveries were added to a known order.')),
  without_card: v.pipe(
    v.number(),
    v.description('How many paid orders were left out because neither the shop nor a connection knows their card.'),
  ),
  refused: v.pipe(v.number(), v.description('How many paid orders were refused, as the order API would.')),
  last_refusal: v.pipe(nullableText, v.description('The last order that was refused, and why.')),
  retries: v.pipe(
    v.array(
      v.object({
        reference: ReferenceReply,
        reason: v.pipe(v.string(), v.description('The field or the answer that could not be read, in words.')),
        next_try_at: v.pipe(v.string(), v.description('When the order is read again at the earliest (ISO 8601).')),
      }),
    ),
    v.description('Orders that could not be read, at most 20. They count as refused until they are read.'),
  ),
  contradiction: v.pipe(
    nullableText,
    v.description('The last order whose refunds the shop states in two ways, and which of them counts.'),
  ),
  trouble: v.pipe(nullableText, v.description('What went wrong in the last run, in words; null: nothing.')),
});

/** A shop as banks show it with its orders. */
export const ProfileDto = v.object({
  display_name: v.pipe(optionalText, v.description('The name of the shop.')),
  logo_url: v.pipe(optionalText, v.description('The shop’s logo; https.')),
  support_email: v.pipe(optionalText, v.description('Where customers are helped by e-mail.')),
  support_phone: v.pipe(optionalText, v.description('Where customers are helped by telephone.')),
  support_url: v.pipe(optionalText, v.description('Where customers are helped; https.')),
  address: v.pipe(v.optional(v.record(v.string(), v.string())), v.description('Street and number.')),
  geo: v.pipe(
    v.optional(
      v.object({
        latitude: v.pipe(v.number(), v.description('Degrees north.')),
        longitude: v.pipe(v.number(), v.description('Degrees east.')),
      }),
    ),
    v.description('Where the shop is.'),
  ),
  refund_policy: v.pipe(optionalText, v.description('The refund policy.')),
  refund_policy_url: v.pipe(optionalText, v.description('Where the refund policy is; https.')),
  terms_url: v.pipe(optionalText, v.description('Where the terms are; https.')),
  cancellation_policy_url: v.pipe(optionalText, v.description('Where the cancellation policy is; https.')),
  retain_days: v.pipe(v.number(), v.description('For how many days orders are kept.')),
  order_source: v.pipe(v.nullable(SourceDto), v.description('The shop that orders are imported from; null: none.')),
});

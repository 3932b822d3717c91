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
import { count, describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { OrderIdReply, ReferenceReply } from './field-schemas.ts';
import { orderSourceKinds } from './source/order-source.ts';

/** Orders in answers. Kept apart from the schemas of what is sent, which bring the table of card numbers into a bundle. */

export const OrderPath = v.object({ id: describeField(Id, 'The order.') });

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
  name: describeField(optionalText, 'The name.'),
  address: describeField(optionalText, 'Street and number.'),
  suburb_city: describeField(optionalText, 'Suburb or city.'),
  state: describeField(optionalText, 'The state of the address, two or three letters.'),
  country: describeField(optionalText, 'ISO 3166-1, two letters.'),
  postcode: describeField(optionalText, 'The postal code.'),
});
const RefundDto = v.object({
  amount: AmountReply,
  currency: CurrencyReply,
  at: text('When it was refunded (ISO 8601, UTC).'),
  reference: describeField(optionalText, 'The reference of the refund where it was made.'),
  charge: describeField(optionalText, 'The charge that was refunded, of an order with several.'),
});

const ChargeDto = v.object({
  amount: AmountReply,
  at: describeField(optionalText, 'When it was charged (ISO 8601).'),
  reference: describeField(optionalText, 'The processor’s reference of the charge.'),
  card_firstsix: describeField(optionalText, 'The first six digits of its card; absent: the order’s card.'),
  card_lastfour: describeField(optionalText, 'The last four digits of its card; absent: the order’s card.'),
  card_type: describeField(optionalText, 'The type of its card; absent: that of the order’s card.'),
  arn: describeField(optionalText, 'The acquirer reference number, 23 digits.'),
  auth_code: describeField(optionalText, 'The authorisation code of the charge.'),
});

/** A stored order in answers: what its merchant sent, and what else is known. */
export const OrderDto = describeField(
  v.object({
    order_id: OrderIdReply,
    sid: SiteIdReply,
    mid: MerchantIdReply,
    rid: RetailerIdReply,
    source: describeField(v.picklist(['merchant', 'payment']), 'Where the order came from.'),
    disputed: flag('Whether it is disputed: an alert, an inquiry or a chargeback that was not won is about it.'),
    created_at: CreatedAtReply,
    updated_at: UpdatedAtReply,
    kept_until: text('When it is removed.'),
    reference: ReferenceReply,
    order_date: text('When it was ordered (ISO 8601).'),
    transaction_date: text('When the transaction was made (ISO 8601).'),
    amount: AmountReply,
    currency: CurrencyReply,
    card_firstsix: text('The first six digits of the card number.'),
    card_lastfour: text('The last four digits of the card number.'),
    card_type: text('How it is paid: a `paymethod` of the payment options, such as VISA.'),
    refunds_made: describeField(
      v.array(RefundDto),
      'Refunds that the service made of it, here or at a connection, besides those that were sent in `refunds`.',
    ),
    items: describeField(
      v.array(
        v.object({
          name: PlainNameReply,
          quantity: text('How many.'),
          unit: describeField(optionalText, 'The unit of the quantity.'),
          amount_unit: text('The price of one, in the same currency.'),
          sku: describeField(optionalText, 'Your article number.'),
          description: describeField(optionalText, 'A description for people.'),
          image_url: describeField(optionalText, 'A picture of the article; https.'),
          url: describeField(optionalText, 'The page of the article; https.'),
          type: describeField(v.optional(v.picklist(itemTypes)), 'What kind of item it is.'),
        }),
      ),
      'What was bought.',
    ),
    amount_subtotal: describeField(optionalText, 'The items’ sum.'),
    amount_shipping: describeField(optionalText, 'Shipping, in the same currency.'),
    amount_tax: describeField(optionalText, 'Tax, in the same currency.'),
    amount_coupon: describeField(optionalText, 'What a coupon takes off, in the same currency.'),
    card_token: describeField(optionalText, 'A digest of the card that stays the same; never its number.'),
    arn: describeField(optionalText, 'The acquirer reference number, 23 digits.'),
    auth_code: describeField(optionalText, 'The authorisation code of the transaction.'),
    network_transaction_id: describeField(optionalText, 'The network’s identifier of the transaction.'),
    descriptor: describeField(optionalText, 'As it appears on the cardholder’s statement.'),
    caid: describeField(optionalText, 'The card acceptor ID.'),
    customer: describeField(
      v.optional(
        v.object({
          account_id: describeField(optionalText, 'The customer’s account with you.'),
          firstname: describeField(optionalText, 'The customer’s first name.'),
          lastname: describeField(optionalText, 'The customer’s last name.'),
          email: describeField(optionalText, 'An e-mail address.'),
          phone: describeField(optionalText, 'A telephone number.'),
          account_created_at: describeField(optionalText, 'When the account was made.'),
          last_login_at: describeField(optionalText, 'When the customer last signed in.'),
          authentication: describeField(v.optional(v.picklist(authentications)), 'How the payer was authenticated.'),
        }),
      ),
      'Who bought.',
    ),
    device: describeField(
      v.optional(
        v.object({
          ip: describeField(optionalText, 'The payer’s IP address.'),
          device_id: describeField(optionalText, 'The device’s identifier.'),
          device_fingerprint: describeField(optionalText, 'The device’s fingerprint.'),
          user_agent: describeField(optionalText, 'The browser.'),
          type: describeField(optionalText, 'The kind of device, such as `mobile`.'),
        }),
      ),
      'On what it was bought.',
    ),
    billing: describeField(v.optional(AddressDto), 'Where the bill goes.'),
    shipping: describeField(v.optional(AddressDto), 'Where it is shipped to.'),
    deliveries: describeField(
      v.optional(
        v.array(
          v.object({
            type: describeField(
              v.picklist(deliveryTypes),
              'How the order is delivered: shipped, downloaded or picked up.',
            ),
            status: describeField(v.picklist(orderDeliveryStates), 'How far the delivery is.'),
            provider: describeField(optionalText, 'The carrier.'),
            tracking_number: describeField(optionalText, 'The carrier’s number.'),
            tracking_url: describeField(optionalText, 'Where to follow it; https.'),
            shipped_at: describeField(optionalText, 'When it was shipped.'),
            delivered_at: describeField(optionalText, 'When it arrived.'),
            ip: describeField(optionalText, 'The IP address that downloaded it.'),
            downloaded_at: describeField(optionalText, 'When it was downloaded.'),
            signed_by: describeField(optionalText, 'Who signed for it.'),
          }),
        ),
      ),
      'What is on its way, or has arrived.',
    ),
    refunds: describeField(v.optional(v.array(RefundDto)), 'What was refunded.'),
    charges: describeField(
      v.optional(v.array(ChargeDto)),
      'What was charged to cards, where it was not the whole amount at once to one card.',
    ),
    subscription: describeField(
      v.optional(
        v.object({
          interval: text('How often it is billed.'),
          next_billing_at: describeField(optionalText, 'When it is billed next.'),
          trial_ends_at: describeField(optionalText, 'When the trial ends.'),
          cancelled_at: describeField(optionalText, 'When it was cancelled.'),
          cancel_url: describeField(optionalText, 'Where to cancel it; https.'),
          first_order_id: describeField(v.optional(v.number()), 'The first order of the subscription.'),
        }),
      ),
      'The subscription that the order belongs to.',
    ),
    processor: describeField(
      v.optional(
        v.object({
          connection: text('Where the money is: the connection.'),
          reference: text('The processor’s reference of the charge.'),
        }),
      ),
      'Where the order was charged, if Forewarn did not charge it.',
    ),
    links: describeField(
      v.optional(
        v.object({
          receipt: describeField(optionalText, 'The receipt.'),
          order: describeField(optionalText, 'The order, for the customer.'),
          refund_policy: describeField(optionalText, 'The refund policy.'),
          terms: describeField(optionalText, 'The terms.'),
          cancel: describeField(optionalText, 'Where to cancel.'),
          contact: describeField(optionalText, 'Where to ask.'),
        }),
      ),
      'Addresses to show beside the order; https.',
    ),
    reported: describeField(v.optional(v.boolean()), 'Whether the customer has reported it already.'),
  }),
  'The order, as it is stored.',
);

const nullableText = v.nullable(v.string());

/** A look-up as lists show it. `deflected`: found, and 120 days without an alert, which is an estimate. */
export const LookupDto = v.object({
  lookup_id: text('The look-up.'),
  provider: describeField(v.picklist(['provider_a', 'provider_b']), 'The provider that asked.'),
  channel: text('What the provider shows.'),
  at: AtReply,
  result: describeField(
    v.picklist(['found', 'not_found', 'multiple', 'refused', 'error']),
    'What came of the look-up.',
  ),
  milliseconds: count('How long the look-up took.'),
  card: describeField(nullableText, 'The card number, masked: the first six and the last four digits.'),
  amount: describeField(nullableText, 'A decimal with as many places as the currency has.'),
  currency: describeField(nullableText, 'ISO 4217, three letters.'),
  date: describeField(nullableText, 'The day (ISO 8601).'),
  order_id: v.nullable(OrderIdReply),
  sid: v.nullable(SiteIdReply),
  reference: describeField(nullableText, 'Your own number of the order; unique at the site.'),
  shown: describeField(v.array(v.string()), 'What was shown.'),
  ce3: describeField(
    v.nullable(v.picklist(['qualified', 'too_few', 'no_device_or_ip', 'one_element', 'credential_unknown'])),
    '`qualified` as Compelling Evidence 3.0, or the reason why the order is not; null: it was not shown.',
  ),
  outcome: describeField(
    v.nullable(v.picklist(['open', 'disputed', 'deflected'])),
    'Of an order that was found: open, disputed, or deflected after 120 days without an alert; null: none was found.',
  ),
});

/** The shop that orders are imported from; its keys only as far as they say which ones they are. */
const SourceDto = v.object({
  kind: describeField(v.picklist(orderSourceKinds), 'The software of the shop.'),
  connection: describeField(optionalText, 'Of `shopify`: the connection.'),
  base_url: describeField(optionalText, 'Of `woocommerce`: the address of the shop.'),
  consumer_key: describeField(optionalText, 'Of `woocommerce`: the end of the key.'),
  last_run_at: describeField(nullableText, 'When all orders had been read last (ISO 8601).'),
  next_run_at: describeField(nullableText, 'When the shop is read next; null: it waits for keys.'),
  imported: count('How many orders were imported.'),
  updated: count('How often refunds or deliveries were added to a known order.'),
  without_card: count('How many paid orders were left out because neither the shop nor a connection knows their card.'),
  refused: count('How many paid orders were refused, as the order API would.'),
  last_refusal: describeField(nullableText, 'The last order that was refused, and why.'),
  retries: describeField(
    v.array(
      v.object({
        reference: ReferenceReply,
        reason: text('The field or the answer that could not be read, in words.'),
        next_try_at: text('When the order is read again at the earliest (ISO 8601).'),
      }),
    ),
    'Orders that could not be read, at most 20. They count as refused until they are read.',
  ),
  contradiction: describeField(
    nullableText,
    'The last order whose refunds the shop states in two ways, and which of them counts.',
  ),
  trouble: describeField(nullableText, 'What went wrong in the last run, in words; null: nothing.'),
});

/** A shop as banks show it with its orders. */
export const ProfileDto = v.object({
  display_name: describeField(optionalText, 'The name of the shop.'),
  logo_url: describeField(optionalText, 'The shop’s logo; https.'),
  support_email: describeField(optionalText, 'Where customers are helped by e-mail.'),
  support_phone: describeField(optionalText, 'Where customers are helped by telephone.'),
  support_url: describeField(optionalText, 'Where customers are helped; https.'),
  address: describeField(v.optional(v.record(v.string(), v.string())), 'The postal address of the shop, by its parts.'),
  geo: describeField(
    v.optional(
      v.object({
        latitude: count('Degrees north.'),
        longitude: count('Degrees east.'),
      }),
    ),
    'Where the shop is.',
  ),
  refund_policy: describeField(optionalText, 'The refund policy.'),
  refund_policy_url: describeField(optionalText, 'Where the refund policy is; https.'),
  terms_url: describeField(optionalText, 'Where the terms are; https.'),
  cancellation_policy_url: describeField(optionalText, 'Where the cancellation policy is; https.'),
  checkout_terms: describeField(optionalText, 'How customers agree to the terms at checkout.'),
  delivery_terms: describeField(optionalText, 'What customers are told about delivery.'),
  logo_type: describeField(
    v.nullable(v.picklist(['image/png', 'image/jpeg'])),
    'The kind of picture that letters to banks begin with; null: none.',
  ),
  retain_days: count('For how many days orders are kept.'),
  order_source: describeField(v.nullable(SourceDto), 'The shop that orders are imported from; null: none.'),
});

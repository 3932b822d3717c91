import * as v from 'valibot';
import { PayerEmail } from '#core/kernel/schema/contact-email.ts';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { type AmountPlace, namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag, Id, Nested, Timestamp } from '#core/kernel/schema/schema.ts';
import { AsText, LongText, PastedNumber, PastedText, Text, TextOrNumber } from '#core/kernel/schema/text.ts';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { canonicalIp } from '#payments/fraud/check/subject.ts';
import {
  AmountText,
  ArticleNumber,
  CardType,
  CountryCode,
  CurrencyCode,
  Maybe,
  phoneDigits,
  phoneReason,
} from '#payments/payments/request-schemas.ts';
import { authentications, deliveryTypes, itemTypes, orderDeliveryStates } from './dto-schemas.ts';

/** An order as merchants send and read it: names and limits of every field. */

const linkRules = { allowLoopbackHttp: false, extraPorts: [] } as const;
const linkProblem = (text: string): string | undefined => {
  const checked = checkWebhookUrl(text, linkRules);
  return checked.ok ? undefined : checked.message;
};

/** An https URL of a public host. It is shown and never fetched by the service. */
export const Link = (longest = 500) =>
  v.pipe(
    Text(longest),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? linkProblem(dataset.value) : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );

const digits = (count: number) =>
  v.pipe(TextOrNumber, v.regex(new RegExp(`^\\d{${count}}$`), `must be ${count} digits`));

export const Phone = PastedText.allowing(phoneReason, 40, phoneDigits);

export const Email = PayerEmail;

const Ip = v.pipe(
  Text(45),
  v.check((text) => canonicalIp(text) !== null, 'must be an IPv4 or IPv6 address'),
  v.transform((text) => canonicalIp(text) ?? text),
);

/** A quantity, whole or fractional, as text; at most three decimals. */
const Quantity = v.pipe(
  TextOrNumber,
  v.regex(/^(?:0|[1-9]\d{0,8})(?:\.\d{1,3})?$/, 'must be a number such as 2 or 0.5, with at most 3 decimals'),
  v.check((text) => Number(text) > 0, 'must be above 0'),
);

const Item = Nested({
  name: describeField(PastedText(100), 'The name.'),
  quantity: describeField(Quantity, 'How many.'),
  unit: describeField(Maybe(Text(20)), 'The unit of the quantity.'),
  amount_unit: describeField(AmountText, 'The price of one, in the same currency.'),
  sku: describeField(Maybe(ArticleNumber), 'Your article number.'),
  description: describeField(Maybe(LongText(500)), 'A description for people.'),
  image_url: describeField(Maybe(Link()), 'A picture of the article; https.'),
  url: describeField(Maybe(Link()), 'The page of the article; https.'),
  type: describeField(
    Maybe(v.picklist(itemTypes, `must be one of ${itemTypes.join(', ')}`)),
    'What kind of item it is.',
  ),
});

const Customer = Nested({
  account_id: describeField(Maybe(v.pipe(TextOrNumber, Text(65))), 'The customer’s account with you.'),
  firstname: describeField(Maybe(PastedText(100)), 'The customer’s first name.'),
  lastname: describeField(Maybe(PastedText(100)), 'The customer’s last name.'),
  email: describeField(Maybe(Email), 'An e-mail address.'),
  phone: describeField(Maybe(Phone), 'A telephone number.'),
  account_created_at: describeField(Maybe(Timestamp), 'When the account was made.'),
  last_login_at: describeField(Maybe(Timestamp), 'When the customer last signed in.'),
  authentication: describeField(
    Maybe(v.picklist(authentications, `must be one of ${authentications.join(', ')}`)),
    'How the payer was authenticated.',
  ),
});

const Device = Nested({
  ip: describeField(Maybe(Ip), 'The payer’s IP address.'),
  device_id: describeField(Maybe(Text(64)), 'The device’s identifier.'),
  device_fingerprint: describeField(Maybe(Text(200)), 'The device’s fingerprint.'),
  user_agent: describeField(Maybe(Text(500)), 'The browser.'),
  type: describeField(Maybe(Text(20)), 'The kind of device, such as `mobile`.'),
  device_token: describeField(
    Maybe(Text(2100)),
    'The token of the device snippet, which gives what the other fields do not: see “Orders”. It is not stored.',
  ),
});

export const placeFields = {
  address: describeField(Maybe(PastedText(300)), 'Street and number.'),
  suburb_city: describeField(Maybe(PastedText(100)), 'Suburb or city.'),
  state: describeField(Maybe(PastedText(100)), 'The state of the address, two or three letters.'),
  country: describeField(Maybe(CountryCode), 'ISO 3166-1, two letters.'),
  postcode: describeField(Maybe(PastedNumber(20)), 'The postal code.'),
};
const AddressFields = Nested({
  name: describeField(Maybe(PastedText(200)), 'The name.'),
  ...placeFields,
});

const Delivery = Nested({
  type: describeField(
    v.picklist(deliveryTypes, `must be one of ${deliveryTypes.join(', ')}`),
    'How the order is delivered: shipped, downloaded or picked up.',
  ),
  status: describeField(
    v.picklist(orderDeliveryStates, `must be one of ${orderDeliveryStates.join(', ')}`),
    'How far the delivery is.',
  ),
  provider: describeField(Maybe(Text(45)), 'The carrier.'),
  tracking_number: describeField(Maybe(v.pipe(TextOrNumber, Text(255))), 'The carrier’s number.'),
  tracking_url: describeField(Maybe(Link()), 'Where to follow it; https.'),
  shipped_at: describeField(Maybe(Timestamp), 'When it was shipped.'),
  delivered_at: describeField(Maybe(Timestamp), 'When it arrived.'),
  ip: describeField(Maybe(Ip), 'The IP address that downloaded it.'),
  downloaded_at: describeField(Maybe(Timestamp), 'When it was downloaded.'),
  signed_by: describeField(Maybe(Text(75)), 'Who signed for it.'),
});

const Refund = namingAmounts(
  Nested({
    amount: describeField(AmountText, 'A decimal with as many places as the currency has.'),
    currency: describeField(CurrencyCode, 'ISO 4217, three letters.'),
    at: describeField(Timestamp, 'When it was refunded (ISO 8601, UTC).'),
    reference: describeField(Maybe(v.pipe(TextOrNumber, Text(65))), 'The reference of the refund where it was made.'),
    charge: describeField(
      Maybe(v.pipe(TextOrNumber, Text(200))),
      'The `reference` of the charge that was refunded, of an order with several.',
    ),
  }),
  ['amount', 'currency'],
);

const Charge = Nested({
  amount: describeField(AmountText, 'The amount of the charge, in the currency of the order.'),
  at: describeField(Maybe(Timestamp), 'When (ISO 8601, UTC); absent: as the order’s transaction.'),
  reference: describeField(Maybe(v.pipe(TextOrNumber, Text(200))), 'The processor’s reference of the charge.'),
  card_firstsix: describeField(Maybe(digits(6)), 'The card’s first six digits; absent: the order’s card.'),
  card_lastfour: describeField(Maybe(digits(4)), 'The card’s last four digits; absent: the order’s card.'),
  card_type: describeField(Maybe(CardType), 'The card’s type; absent: that of the order’s card.'),
  arn: describeField(Maybe(digits(23)), 'The acquirer reference number of the charge, 23 digits.'),
  auth_code: describeField(Maybe(v.pipe(TextOrNumber, Text(6))), 'The authorisation code of the charge.'),
});

const Subscription = Nested({
  interval: describeField(Text(40), 'How often it is billed.'),
  next_billing_at: describeField(Maybe(Timestamp), 'When it is billed next.'),
  trial_ends_at: describeField(Maybe(Timestamp), 'When the trial ends.'),
  cancelled_at: describeField(Maybe(Timestamp), 'When it was cancelled.'),
  cancel_url: describeField(Maybe(Link()), 'Where to cancel it; https.'),
  first_order_id: describeField(Maybe(Id), 'The first order of the subscription.'),
});

const Processor = Nested({
  connection: describeField(Text(64), 'Where the money is: the connection.'),
  reference: describeField(Text(200), 'The processor’s reference of the charge.'),
});

const Links = Nested({
  receipt: describeField(Maybe(Link()), 'The receipt.'),
  order: describeField(Maybe(Link()), 'The order, for the customer.'),
  refund_policy: describeField(Maybe(Link()), 'The refund policy.'),
  terms: describeField(Maybe(Link()), 'The terms.'),
  cancel: describeField(Maybe(Link()), 'Where to cancel.'),
  contact: describeField(Maybe(Link()), 'Where to ask.'),
});

/**
 * A list whose length is checked before its entries, as checking very many takes long. `words` follow the field's name.
 */
const boundedList = <S extends v.GenericSchema>(item: S, least: number, most: number, words: string) =>
  v.pipe(
    v.unknown(),
    v.check((value) => Array.isArray(value) && value.length >= least && value.length <= most, words),
    v.array(item, 'must be a list'),
  );

/**
 * The networks' own references look like card numbers by chance: with 15 digits, as Visa's have, one in a hundred. Such a one is
 * refused only if it begins and ends like the order's card: see order.ts.
 */
const visaReference = /^\d{15}$/;
const NetworkReference = v.pipe(
  AsText,
  Text.allowing('Visa’s references of 15 digits are compared with the order’s card', 30, visaReference),
);

/** The fields that every order must have. */
const requiredEntries = {
  reference: v.pipe(TextOrNumber, Text(65), v.description('Your own number of the order; unique at the site.')),
  order_date: describeField(Timestamp, 'When it was ordered (ISO 8601).'),
  amount: describeField(AmountText, 'A decimal with as many places as the currency has.'),
  currency: describeField(CurrencyCode, 'ISO 4217, three letters.'),
  card_firstsix: describeField(digits(6), 'The first six digits of the card number.'),
  card_lastfour: describeField(digits(4), 'The last four digits of the card number.'),
  card_type: describeField(CardType, 'How it is paid: a `paymethod` of the payment options, such as VISA.'),
  items: describeField(boundedList(Item, 1, 200, 'must be a list of 1 to 200 items'), 'What was bought.'),
} as const;

const optionalEntries = {
  amount_subtotal: describeField(AmountText, 'The items’ sum.'),
  amount_shipping: describeField(AmountText, 'Shipping, in the same currency.'),
  amount_tax: describeField(AmountText, 'Tax, in the same currency.'),
  amount_coupon: describeField(AmountText, 'What a coupon takes off, in the same currency.'),
  card_token: describeField(Text(64), 'A digest of the card that stays the same; never its number.'),
  transaction_date: describeField(Timestamp, 'When the transaction was made (ISO 8601).'),
  arn: describeField(digits(23), 'The acquirer reference number, 23 digits.'),
  auth_code: v.pipe(TextOrNumber, Text(6), v.description('The authorisation code of the transaction.')),
  network_transaction_id: describeField(NetworkReference, 'The network’s identifier of the transaction.'),
  descriptor: describeField(Text(25), 'As it appears on the cardholder’s statement.'),
  caid: v.pipe(TextOrNumber, Text(15), v.description('The card acceptor ID.')),
  customer: describeField(Customer, 'Who bought.'),
  device: describeField(Device, 'On what it was bought.'),
  billing: describeField(AddressFields, 'Where the bill goes.'),
  shipping: describeField(AddressFields, 'Where it is shipped to.'),
  deliveries: describeField(
    boundedList(Delivery, 0, 20, 'must be a list of at most 20 deliveries'),
    'What is on its way, or has arrived.',
  ),
  refunds: describeField(boundedList(Refund, 0, 50, 'must be a list of at most 50 refunds'), 'What was refunded.'),
  charges: describeField(
    boundedList(Charge, 0, 20, 'must be a list of at most 20 charges'),
    'What was charged to cards, where it was not the whole amount at once to one card.',
  ),
  subscription: describeField(Subscription, 'The subscription that the order belongs to.'),
  processor: describeField(Processor, 'Where the order was charged, if Forewarn did not charge it.'),
  links: describeField(Links, 'Addresses to show beside the order; https.'),
  reported: describeField(Flag, 'Whether the customer has reported it already.'),
} as const;

type MaybeEntries<E extends v.ObjectEntries> = { [K in keyof E]: ReturnType<typeof Maybe<E[K]>> };
type ClearableEntries<E extends v.ObjectEntries> = {
  [K in keyof E]: v.OptionalSchema<v.NullableSchema<E[K], undefined>, undefined>;
};

/** Each of the fields may be absent, null or empty. (The compiler does not follow names through entries, here and below.) */
const maybeAll = <E extends v.ObjectEntries>(entries: E) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, Maybe(schema)])) as MaybeEntries<E>;

/** Each of the fields may be absent, which keeps its value, or null, which removes it. */
const clearableAll = <E extends v.ObjectEntries>(entries: E) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, v.optional(v.nullable(schema))]),
  ) as ClearableEntries<E>;

const amountPlaces: readonly AmountPlace[] = [
  'amount',
  'amount_subtotal',
  'amount_shipping',
  'amount_tax',
  'amount_coupon',
  'items.*.amount_unit',
  'charges.*.amount',
].map((amount) => [amount, 'currency']);

/** A whole order as it is sent. order.ts checks amounts and dates together. */
export const OrderFields = namingAmounts(
  v.object({ ...requiredEntries, ...maybeAll(optionalEntries) }),
  ...amountPlaces,
);
export type OrderFields = v.InferOutput<typeof OrderFields>;

/** The same for a site. */
export const NewOrder = namingAmounts(v.object({ sid: SiteIdField, ...OrderFields.entries }), ...amountPlaces);

/** The changes to an order. */
export const OrderChanges = namingAmounts(
  v.object(clearableAll({ ...requiredEntries, ...optionalEntries })),
  ...amountPlaces,
);
export type OrderChanges = v.InferOutput<typeof OrderChanges>;

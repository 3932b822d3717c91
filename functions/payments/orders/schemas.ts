import * as v from 'valibot';
import { PayerEmail } from '#core/kernel/schema/contact-email.ts';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
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
  name: v.pipe(PastedText(100), v.description('The name.')),
  quantity: v.pipe(Quantity, v.description('How many.')),
  unit: v.pipe(Maybe(Text(20)), v.description('The unit of the quantity.')),
  amount_unit: v.pipe(AmountText, v.description('The price of one, in the same currency.')),
  sku: v.pipe(Maybe(ArticleNumber), v.description('Your article number.')),
  description: v.pipe(Maybe(LongText(500)), v.description('A description for people.')),
  image_url: v.pipe(Maybe(Link()), v.description('A picture of the article; https.')),
  url: v.pipe(Maybe(Link()), v.description('An address of the shop.')),
  type: v.pipe(
    Maybe(v.picklist(itemTypes, `must be one of ${itemTypes.join(', ')}`)),
    v.description('What kind of purchase it was.'),
  ),
});

const Customer = Nested({
  account_id: v.pipe(Maybe(v.pipe(TextOrNumber, Text(65))), v.description('The customer’s account with you.')),
  firstname: v.pipe(Maybe(PastedText(100)), v.description('The customer’s first name.')),
  lastname: v.pipe(Maybe(PastedText(100)), v.description('The customer’s last name.')),
  email: v.pipe(Maybe(Email), v.description('An e-mail address.')),
  phone: v.pipe(Maybe(Phone), v.description('A telephone number.')),
  account_created_at: v.pipe(Maybe(Timestamp), v.description('When the account was made.')),
  last_login_at: v.pipe(Maybe(Timestamp), v.description('When the customer last signed in.')),
  authentication: v.pipe(
    Maybe(v.picklist(authentications, `must be one of ${authentications.join(', ')}`)),
    v.description('How the payer was authenticated.'),
  ),
});

const Device = Nested({
  ip: v.pipe(Maybe(Ip), v.description('The payer’s IP address.')),
  device_id: v.pipe(Maybe(Text(64)), v.description('The device’s identifier.')),
  device_fingerprint: v.pipe(Maybe(Text(200)), v.description('The device’s fingerprint.')),
  user_agent: v.pipe(Maybe(Text(500)), v.description('The browser.')),
  type: v.pipe(Maybe(Text(20)), v.description('What kind of purchase it was.')),
});

export const placeFields = {
  address: v.pipe(Maybe(PastedText(300)), v.description('Street and number.')),
  suburb_city: v.pipe(Maybe(PastedText(100)), v.description('Suburb or city.')),
  state: v.pipe(Maybe(PastedText(100)), v.description('The state of the address, two or three letters.')),
  country: v.pipe(Maybe(CountryCode), v.description('ISO 3166-1, two letters.')),
  postcode: v.pipe(Maybe(PastedNumber(20)), v.description('The postal code.')),
};
const AddressFields = Nested({
  name: v.pipe(Maybe(PastedText(200)), v.description('The name.')),
  ...placeFields,
});

const Delivery = Nested({
  type: v.pipe(
    v.picklist(deliveryTypes, `must be one of ${deliveryTypes.join(', ')}`),
    v.description('What kind of purchase it was.'),
  ),
  status: v.pipe(
    v.picklist(orderDeliveryStates, `must be one of ${orderDeliveryStates.join(', ')}`),
    v.description('What became of the order, or of the entry.'),
  ),
  provider: v.pipe(Maybe(Text(45)), v.description('The provider that asked.')),
  tracking_number: v.pipe(Maybe(v.pipe(TextOrNumber, Text(255))), v.description('The carrier’s number.')),
  tracking_url: v.pipe(Maybe(Link()), v.description('Where to follow it; https.')),
  shipped_at: v.pipe(Maybe(Timestamp), v.description('When it was shipped.')),
  delivered_at: v.pipe(Maybe(Timestamp), v.description('When it arrived.')),
  ip: v.pipe(Maybe(Ip), v.description('The payer’s IP address.')),
  downloaded_at: v.pipe(Maybe(Timestamp), v.description('When it was downloaded.')),
  signed_by: v.pipe(Maybe(Text(75)), v.description('Who signed for it.')),
});

const Refund = namingAmounts(
  Nested({
    amount: v.pipe(AmountText, v.description('A decimal with as many places as the currency has.')),
    currency: v.pipe(CurrencyCode, v.description('ISO 4217, three letters.')),
    at: v.pipe(Timestamp, v.description('When (ISO 8601, UTC).')),
    reference: v.pipe(
      Maybe(v.pipe(TextOrNumber, Text(65))),
      v.description('Your own number of the order; unique at the site.'),
    ),
    charge: v.pipe(
      Maybe(v.pipe(TextOrNumber, Text(200))),
      v.description('The `reference` of the charge that was refunded, of an order with several.'),
    ),
  }),
  ['amount', 'currency'],
);

const Charge = Nested({
  amount: v.pipe(AmountText, v.description('The amount of the charge, in the currency of the order.')),
  at: v.pipe(Maybe(Timestamp), v.description('When (ISO 8601, UTC); absent: as the order’s transaction.')),
  reference: v.pipe(Maybe(v.pipe(TextOrNumber, Text(200))), v.description('The processor’s reference of the charge.')),
  card_firstsix: v.pipe(Maybe(digits(6)), v.description('The card’s first six digits; absent: the order’s card.')),
  card_lastfour: v.pipe(Maybe(digits(4)), v.description('The card’s last four digits; absent: the order’s card.')),
  card_type: v.pipe(Maybe(CardType), v.description('The card’s type; absent: that of the order’s card.')),
  arn: v.pipe(Maybe(digits(23)), v.description('The acquirer reference number of the charge, 23 digits.')),
  auth_code: v.pipe(Maybe(v.pipe(TextOrNumber, Text(6))), v.description('The authorisation code of the charge.')),
});

const Subscription = Nested({
  interval: v.pipe(Text(40), v.description('How often it is billed.')),
  next_billing_at: v.pipe(Maybe(Timestamp), v.description('When it is billed next.')),
  trial_ends_at: v.pipe(Maybe(Timestamp), v.description('When the trial ends.')),
  cancelled_at: v.pipe(Maybe(Timestamp), v.description('When it was cancelled.')),
  cancel_url: v.pipe(Maybe(Link()), v.description('Where to cancel it; https.')),
  first_order_id: v.pipe(Maybe(Id), v.description('The first order of the subscription.')),
});

const Processor = Nested({
  connection: v.pipe(Text(64), v.description('Where the money is: the connection.')),
  reference: v.pipe(Text(200), v.description('Your own number of the order; unique at the site.')),
});

const Links = Nested({
  receipt: v.pipe(Maybe(Link()), v.description('The receipt.')),
  order: v.pipe(Maybe(Link()), v.description('The order, for the customer.')),
  refund_policy: v.pipe(Maybe(Link()), v.description('The refund policy.')),
  terms: v.pipe(Maybe(Link()), v.description('The terms.')),
  cancel: v.pipe(Maybe(Link()), v.description('Where to cancel.')),
  contact: v.pipe(Maybe(Link()), v.description('Where to ask.')),
});

/**
 * A list whose length is checked before its entries, as checking very many takes long. `words` follow the field's name.
 */
const listOf = <S extends v.GenericSchema>(item: S, least: number, most: number, words: string) =>
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
  order_date: v.pipe(Timestamp, v.description('When it was ordered (ISO 8601).')),
  amount: v.pipe(AmountText, v.description('A decimal with as many places as the currency has.')),
  currency: v.pipe(CurrencyCode, v.description('ISO 4217, three letters.')),
  card_firstsix: v.pipe(digits(6), v.description('The first six digits of the card number.')),
  card_lastfour: v.pipe(digits(4), v.description('The last four digits of the card number.')),
  card_type: v.pipe(CardType, v.description('How it is paid: a `paymethod` of the payment options, such as VISA.')),
  items: v.pipe(listOf(Item, 1, 200, 'must be a list of 1 to 200 items'), v.description('What was bought.')),
} as const;

const optionalEntries = {
  amount_subtotal: v.pipe(AmountText, v.description('The items’ sum.')),
  amount_shipping: v.pipe(AmountText, v.description('Shipping, in the same currency.')),
  amount_tax: v.pipe(AmountText, v.description('Tax, in the same currency.')),
  amount_coupon: v.pipe(AmountText, v.description('What a coupon takes off, in the same currency.')),
  card_token: v.pipe(Text(64), v.description('A digest of the card that stays the same; never its number.')),
  transaction_date: v.pipe(Timestamp, v.description('When the transaction was made (ISO 8601).')),
  arn: v.pipe(digits(23), v.description('The acquirer reference number, 23 digits.')),
  auth_code: v.pipe(TextOrNumber, Text(6), v.description('The authorisation code of the transaction.')),
  network_transaction_id: v.pipe(NetworkReference, v.description('The network’s identifier of the transaction.')),
  descriptor: v.pipe(Text(25), v.description('As it appears on the cardholder’s statement.')),
  caid: v.pipe(TextOrNumber, Text(15), v.description('The card acceptor ID.')),
  customer: v.pipe(Customer, v.description('Who bought.')),
  device: v.pipe(Device, v.description('On what it was bought.')),
  billing: v.pipe(AddressFields, v.description('Where the bill goes.')),
  shipping: v.pipe(AddressFields, v.description('Where it is shipped to.')),
  deliveries: v.pipe(
    listOf(Delivery, 0, 20, 'must be a list of at most 20 deliveries'),
    v.description('What is on its way, or has arrived.'),
  ),
  refunds: v.pipe(listOf(Refund, 0, 50, 'must be a list of at most 50 refunds'), v.description('What was refunded.')),
  charges: v.pipe(
    listOf(Charge, 0, 20, 'must be a list of at most 20 charges'),
    v.description('What was charged to cards, where it was not the whole amount at once to one card.'),
  ),
  subscription: v.pipe(Subscription, v.description('The subscription that the order belongs to.')),
  processor: v.pipe(Processor, v.description('The processor.')),
  links: v.pipe(Links, v.description('Addresses to show beside the order; https.')),
  reported: v.pipe(Flag, v.description('Whether the customer has reported it already.')),
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

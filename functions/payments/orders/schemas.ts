import * as v from 'valibot';
import { holdsCardNumber } from '#core/kernel/card/card.ts';
import { KeptText } from '#core/kernel/schema/card-free.ts';
import { type AmountPlace, namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag, Id, Nested, Text, Timestamp } from '#core/kernel/schema/schema.ts';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { canonicalIp } from '#payments/fraud/check/subject.ts';
import { AmountText, CardType, CountryCode, CurrencyCode, Maybe } from '#payments/payments/request-schemas.ts';
import { authentications, deliveryStates, deliveryTypes, itemTypes } from './dto-schemas.ts';

/** An order as merchants send and read it: names and limits of every field. */

const TextOrNumber = v.pipe(
  v.union([v.string(), v.number()], 'must be text or a number'),
  v.transform((value) => String(value).trim()),
);

const linkRules = { allowLoopbackHttp: false, extraPorts: [] } as const;
const linkProblem = (text: string): string | undefined => {
  const checked = checkWebhookUrl(text, linkRules);
  return checked.ok ? undefined : checked.message;
};

/** An https URL of a public host. It is shown and never fetched by the service. */
export const Link = (longest = 500) =>
  v.pipe(
    KeptText(longest),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? linkProblem(dataset.value) : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );

const digits = (count: number) =>
  v.pipe(TextOrNumber, v.regex(new RegExp(`^\\d{${count}}$`), `must be ${count} digits`));

/** Indonesian numbers may have 14 digits and begin like UnionPay cards: the prefix distinguishes them. */
const indonesian = /^\+62[ ()-]?(?:\d[ ()-]{0,2}){7,12}$/;
export const Phone = v.pipe(
  Text(40),
  v.check((text) => indonesian.test(text) || !holdsCardNumber(text), 'must not hold a card number'),
);

const address =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;
export const Email = v.pipe(KeptText(254), v.regex(address, 'must be an e-mail address'));

export const Ip = v.pipe(
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
  name: KeptText(100),
  quantity: Quantity,
  unit: Maybe(KeptText(20)),
  amount_unit: AmountText,
  sku: Maybe(v.pipe(TextOrNumber, KeptText(100))),
  description: Maybe(KeptText(500)),
  image_url: Maybe(Link()),
  url: Maybe(Link()),
  type: Maybe(v.picklist(itemTypes, `must be one of ${itemTypes.join(', ')}`)),
});

const Customer = Nested({
  account_id: Maybe(v.pipe(TextOrNumber, KeptText(65))),
  firstname: Maybe(KeptText(100)),
  lastname: Maybe(KeptText(100)),
  email: Maybe(Email),
  phone: Maybe(Phone),
  account_created_at: Maybe(Timestamp),
  last_login_at: Maybe(Timestamp),
  authentication: Maybe(v.picklist(authentications, `must be one of ${authentications.join(', ')}`)),
});

const Device = Nested({
  ip: Maybe(Ip),
  device_id: Maybe(KeptText(64)),
  device_fingerprint: Maybe(KeptText(200)),
  user_agent: Maybe(KeptText(500)),
  type: Maybe(KeptText(20)),
});

export const placeFields = {
  address: Maybe(KeptText(300)),
  suburb_city: Maybe(KeptText(100)),
  state: Maybe(KeptText(100)),
  country: Maybe(CountryCode),
  postcode: Maybe(v.pipe(TextOrNumber, KeptText(20))),
};
const AddressFields = Nested({ name: Maybe(KeptText(200)), ...placeFields });

const Delivery = Nested({
  type: v.picklist(deliveryTypes, `must be one of ${deliveryTypes.join(', ')}`),
  status: v.picklist(deliveryStates, `must be one of ${deliveryStates.join(', ')}`),
  provider: Maybe(KeptText(45)),
  tracking_number: Maybe(v.pipe(TextOrNumber, KeptText(255))),
  tracking_url: Maybe(Link()),
  shipped_at: Maybe(Timestamp),
  delivered_at: Maybe(Timestamp),
  ip: Maybe(Ip),
  downloaded_at: Maybe(Timestamp),
  signed_by: Maybe(KeptText(75)),
});

const Refund = namingAmounts(
  Nested({
    amount: AmountText,
    currency: CurrencyCode,
    at: Timestamp,
    reference: Maybe(v.pipe(TextOrNumber, KeptText(65))),
  }),
  ['amount', 'currency'],
);

const Subscription = Nested({
  interval: KeptText(40),
  next_billing_at: Maybe(Timestamp),
  trial_ends_at: Maybe(Timestamp),
  cancelled_at: Maybe(Timestamp),
  cancel_url: Maybe(Link()),
  first_order_id: Maybe(Id),
});

const Processor = Nested({ connection: KeptText(64), reference: KeptText(200) });

export const linkNames = ['receipt', 'order', 'refund_policy', 'terms', 'cancel', 'contact'] as const;
const Links = Nested({
  receipt: Maybe(Link()),
  order: Maybe(Link()),
  refund_policy: Maybe(Link()),
  terms: Maybe(Link()),
  cancel: Maybe(Link()),
  contact: Maybe(Link()),
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
  TextOrNumber,
  Text(30),
  v.check((text) => visaReference.test(text) || !holdsCardNumber(text), 'must not hold a card number'),
);

/** The fields that every order must have. */
const requiredEntries = {
  reference: v.pipe(TextOrNumber, KeptText(65)),
  order_date: Timestamp,
  amount: AmountText,
  currency: CurrencyCode,
  card_firstsix: digits(6),
  card_lastfour: digits(4),
  card_type: CardType,
  items: listOf(Item, 1, 200, 'must be a list of 1 to 200 items'),
} as const;

const optionalEntries = {
  amount_subtotal: AmountText,
  amount_shipping: AmountText,
  amount_tax: AmountText,
  amount_coupon: AmountText,
  card_token: KeptText(64),
  transaction_date: Timestamp,
  arn: digits(23),
  auth_code: v.pipe(TextOrNumber, KeptText(6)),
  network_transaction_id: NetworkReference,
  descriptor: KeptText(25),
  caid: v.pipe(TextOrNumber, KeptText(15)),
  customer: Customer,
  device: Device,
  billing: AddressFields,
  shipping: AddressFields,
  deliveries: listOf(Delivery, 0, 20, 'must be a list of at most 20 deliveries'),
  refunds: listOf(Refund, 0, 50, 'must be a list of at most 50 refunds'),
  subscription: Subscription,
  processor: Processor,
  links: Links,
  reported: Flag,
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
].map((amount) => [amount, 'currency']);

/** A whole order as it is sent. order.ts checks amounts and dates together. */
export const OrderFields = namingAmounts(
  v.object({ ...requiredEntries, ...maybeAll(optionalEntries) }),
  ...amountPlaces,
);
export type OrderFields = v.InferOutput<typeof OrderFields>;

/** The same for a site. */
export const NewOrder = namingAmounts(v.object({ sid: Id, ...OrderFields.entries }), ...amountPlaces);

/** The changes to an order. */
export const OrderChanges = namingAmounts(
  v.object(clearableAll({ ...requiredEntries, ...optionalEntries })),
  ...amountPlaces,
);
export type OrderChanges = v.InferOutput<typeof OrderChanges>;

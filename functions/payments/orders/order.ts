import type { ShopProfile } from '#accounts/merchants/settings/order-profile.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { readDeviceToken } from './device/device-token.ts';
import type { OrderMoneyState } from './field-schemas.ts';
import type { OrderChanges, OrderFields } from './schemas.ts';

/** An order as it is kept: fields as on the wire, amounts in canonical decimals, times in UTC. */
export type OrderContent = OrderFields & { transaction_date: string };
export type OrderItem = OrderContent['items'][number];
export type OrderAddress = NonNullable<OrderContent['shipping']>;
export type OrderRefund = NonNullable<OrderContent['refunds']>[number];

/** `merchant`: sent by its merchant; `payment`: made from a payment that the service took. */
export const orderSources = ['merchant', 'payment'] as const;
type OrderSource = (typeof orderSources)[number];

/**
 * An alert about the order's payment, as long as its provider has not taken it back; or an inquiry or chargeback about it
 * (`alertId` null), until it is won.
 */
export type OrderDispute = { alertId: number | null; chargebackId?: string; type: string; at: string };

/** The state of a payment that the service took, in canonical decimals. */
export type OrderPayment = {
  captured: string;
  refunded: string;
  voided: boolean;
  /** The processor that took it, and its name for it; null if not known. */
  processor: string | null;
  reference: string | null;
};

export type Order = {
  /** Of a payment that the service took: its parent_txid. */
  orderId: number;
  mid: number;
  rid: number;
  sid: number;
  source: OrderSource;
  /** `unpaid`: its payment is under way; no provider sees it. */
  state: 'unpaid' | 'paid';
  content: OrderContent;
  /** The card's number as a keyed digest, where the service has had the number; see core/kernel/card/card.ts. */
  cardDigest: string | null;
  /** The shop as it was when the order was stored. */
  profile: ShopProfile;
  payment: OrderPayment | null;
  /** By their txid: refunds that the service made of its payment. */
  ownRefunds: Readonly<Record<string, OrderRefund>>;
  disputes: readonly OrderDispute[];
  createdAt: string;
  updatedAt: string;
  /** For how many days after its transaction it is kept. */
  retainDays: number;
  /** ISO; from then on it counts as gone. */
  keptUntil: string;
  version: number;
};

/** The state of an order's money that matters most, wherever it is shown; null: nothing became of it. */
export const orderMoneyState = (order: Order): OrderMoneyState | null => {
  const { disputes } = order;
  if (disputes.some(({ chargebackId, type }) => chargebackId !== undefined && type !== 'INQUIRY'))
    return 'charged_back';
  if (isMoneyBack(order)) return 'refunded';
  return disputes.length > 0 ? 'disputed' : null;
};

/** Checks whether all money that was taken is refunded. Only refunds tell that of an order without a payment of the service. */
const isMoneyBack = (order: Order): boolean => {
  const { payment, content } = order;
  if (payment === null) return isFullyRefunded(order);
  const [captured, refunded] = [payment.captured, payment.refunded].map((text) => {
    const money = parseAmount(text, content.currency);
    return typeof money === 'string' ? 0n : money.minor;
  });
  return Boolean(captured && refunded && refunded >= captured);
};

const amountFields = ['amount', 'amount_subtotal', 'amount_shipping', 'amount_tax', 'amount_coupon'] as const;

/** The largest size of an order as JSON. DynamoDB's limit for an item is 25 times as much. */
export const maxBytes = 16_384;

/**
 * Fields of an order that belong together: amounts in their currencies, totals that add up, references that are not the card's
 * number, refunds within its amount, dates that have passed. Returns the order, or what is wrong with each field, in words that
 * begin with its name. `now`: ISO.
 */
export const orderContent = (sent: OrderFields, now: string): OrderContent | string[] => {
  const fields = withDevice(sent);
  if (typeof fields === 'string') return [fields];
  const content = { ...fields, transaction_date: fields.transaction_date ?? fields.order_date };
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes > maxBytes) return [`order: has ${bytes} bytes; at most ${maxBytes} are allowed`];
  const problems = [...amountProblems(content), ...referenceProblems(content), ...dateProblems(content, now)];
  return problems.length > 0 ? problems : withCanonicalAmounts(content);
};

/** The order with the device of its token, where its own fields say nothing; or what is wrong with the token. */
const withDevice = (fields: OrderFields): OrderFields | string => {
  const { device_token: token, ...device } = fields.device ?? {};
  if (token === undefined) return fields;
  const read = readDeviceToken(token, fields.reference);
  return typeof read === 'string'
    ? `device.device_token: ${read}`
    : { ...fields, device: { ...read, ...dropUndefined(device) } };
};

const amountProblems = (content: OrderContent): string[] => {
  const { currency, items, refunds = [], charges = [] } = content;
  const wrong = [
    ...amountFields.flatMap((field) => amountFault(field, content[field], currency)),
    ...items.flatMap(({ amount_unit }, index) => amountFault(`items.${index}.amount_unit`, amount_unit, currency)),
    ...refunds.flatMap(({ amount, currency: own }, index) => amountFault(`refunds.${index}.amount`, amount, own)),
    ...charges.flatMap(({ amount }, index) => amountFault(`charges.${index}.amount`, amount, currency)),
  ];
  if (wrong.length > 0) return wrong;
  if (orderMinorOf(content.amount, currency) === 0n) return ['amount: must be above 0'];
  return [...totalProblems(content), ...chargeProblems(content), ...refundProblems(content)];
};

const totalProblems = (content: OrderContent): string[] => {
  const { currency } = content;
  const total = orderTotal(content);
  return total === undefined || total === orderMinorOf(content.amount, currency)
    ? []
    : [
        `amount: must be amount_subtotal and amount_shipping and amount_tax less amount_coupon, ${totalWords(total, currency)}`,
      ];
};

export type OrderCharge = NonNullable<OrderContent['charges']>[number];
type Card = Pick<OrderContent, 'card_firstsix' | 'card_lastfour' | 'card_type'>;

/** The card of a charge, which is that of the order where the charge names none. */
export const cardOfCharge = (content: Card, charge: OrderCharge): Card => ({
  card_firstsix: charge.card_firstsix ?? content.card_firstsix,
  card_lastfour: charge.card_lastfour ?? content.card_lastfour,
  card_type: charge.card_type ?? content.card_type,
});

/** The ends of the card of a charge, as keys have them. */
export const endsOfCharge = (content: Card, charge: OrderCharge): string => {
  const { card_firstsix, card_lastfour } = cardOfCharge(content, charge);
  return `${card_firstsix}-${card_lastfour}`;
};

/** The sum of the charges, in minor units; the order's amount where it names no charges. */
const chargedMinor = ({ charges = [], amount, currency }: OrderContent): bigint =>
  charges.length === 0
    ? orderMinorOf(amount, currency)
    : charges.reduce((sum, charge) => sum + orderMinorOf(charge.amount, currency), 0n);

/** Which fields of the charges are wrong, in words that begin with each field's name. Their amounts are known to be amounts. */
const chargeProblems = (content: OrderContent): string[] => {
  const { charges = [], refunds = [], currency } = content;
  const references = new Set(charges.map(({ reference }) => reference));
  return [
    ...charges.flatMap(({ amount }, index) =>
      orderMinorOf(amount, currency) === 0n ? [`charges.${index}.amount: must be above 0`] : [],
    ),
    ...(charges.length > 0 &&
    !charges.some((charge) => endsOfCharge(content, charge) === endsOfCharge(content, { amount: '' }))
      ? ['charges: one of them must be on the card of the order']
      : []),
    ...refunds.flatMap(({ charge }, index) =>
      charge !== undefined && charges.length > 0 && !references.has(charge)
        ? [`refunds.${index}.charge: names none of the charges`]
        : [],
    ),
  ];
};

/** Describes the problems of the refunds that merchants report; refunds in other currencies cannot be compared. */
const refundProblems = (content: OrderContent): string[] => {
  const { currency, refunds = [], amount: whole } = content;
  const refunded = refunds
    .filter((refund) => refund.currency === currency)
    .reduce((sum, { amount }) => sum + orderMinorOf(amount, currency), 0n);
  // An order that was edited down was charged more than its amount.
  if (refunded > orderMinorOf(whole, currency) && refunded > chargedMinor(content)) {
    return [`refunds: together must not exceed the amount; they come to ${amountWords(refunded, currency)}`];
  }
  return [];
};

const amountWords = (minor: bigint, currency: string): string => formatAmount({ minor, currency });

const totalWords = (minor: bigint, currency: string): string =>
  minor < 0n ? 'which is below 0' : `which is ${amountWords(minor, currency)}`;

/** The time by which a date of the past may be ahead: clocks differ. */
const aheadMilliseconds = milliseconds.day;
/** The time by which a planned date may be ahead. */
const plannedMilliseconds = 3660 * milliseconds.day;

const pastFields = /(?:^|\.)(?:order_date|transaction_date|at|\w+_at)$/;
const plannedFields = /(?:^|\.)(?:next_billing_at|trial_ends_at)$/;

/** Every text of an order with the name of its field. */
const listTexts = (value: unknown, name = ''): { name: string; text: string }[] => {
  if (typeof value === 'string') return [{ name, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => listTexts(one, name === '' ? key : `${name}.${key}`));
};

const dateProblems = (content: OrderContent, now: string): string[] =>
  listTexts(content).flatMap(({ name, text }) => {
    const isPlanned = plannedFields.test(name);
    if (!isPlanned && !pastFields.test(name)) return [];
    const isFar = Date.parse(text) > Date.parse(now) + (isPlanned ? plannedMilliseconds : aheadMilliseconds);
    return isFar ? [`${name}: must not be ${isPlanned ? 'more than ten years' : 'more than a day'} ahead`] : [];
  });

const amountFault = (field: string, amount: string | undefined, currency: string): string[] => {
  const parsed = amount === undefined ? undefined : parseAmount(amount, currency);
  return typeof parsed === 'string' ? [`${field}: ${parsed}`] : [];
};

/** An amount in minor units; the text must be one that parseAmount takes. */
export const orderMinorOf = (amount: string, currency: string): bigint => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Error(`A kept amount is none: ${money}`);
  return money.minor;
};

/** The sum of the amount's parts; undefined if the merchant does not give them. */
const orderTotal = ({ currency, ...content }: OrderContent): bigint | undefined => {
  const part = (amount: string | undefined) => (amount === undefined ? 0n : orderMinorOf(amount, currency));
  if (content.amount_subtotal === undefined) return undefined;
  return (
    part(content.amount_subtotal) +
    part(content.amount_shipping) +
    part(content.amount_tax) -
    part(content.amount_coupon)
  );
};

const canonical = (amount: string, currency: string): string =>
  formatAmount({ minor: orderMinorOf(amount, currency), currency });

const withCanonicalAmounts = (content: OrderContent): OrderContent => {
  const { currency, items, refunds, charges } = content;
  const amounts = amountFields.flatMap((field) => {
    const amount = content[field];
    return amount === undefined ? [] : [[field, canonical(amount, currency)] as const];
  });
  return {
    ...content,
    ...Object.fromEntries(amounts),
    items: items.map((item) => ({ ...item, amount_unit: canonical(item.amount_unit, currency) })),
    ...(refunds && {
      refunds: refunds.map((refund) => ({ ...refund, amount: canonical(refund.amount, refund.currency) })),
    }),
    ...(charges && { charges: charges.map((one) => ({ ...one, amount: canonical(one.amount, currency) })) }),
  };
};

/** A network's reference may look like a card number by chance, but not like this order's. */
const referenceProblems = (content: OrderContent): string[] => {
  const { network_transaction_id: reference = '', card_firstsix: first, card_lastfour: last } = content;
  const looksSo = reference.startsWith(first) && reference.endsWith(last);
  return looksSo ? ['network_transaction_id: must not hold a card number'] : [];
};

/** The fields after a change: absent ones stay, those that are null are removed. */
export const changedOrderFields = (content: OrderContent, changes: OrderChanges): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...content, ...dropUndefined(changes) }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );

/** The fields that come from a payment of the service: merchants cannot change them. */
const paymentFields = [
  ...amountFields,
  ...(['currency', 'card_firstsix', 'card_lastfour', 'card_type', 'card_token'] as const),
  ...(['order_date', 'transaction_date', 'arn', 'auth_code', 'network_transaction_id', 'refunds', 'charges'] as const),
] as const;

/** Which changes the order's payment does not allow, in words that begin with each field's name. */
export const fixedProblems = ({ source }: Pick<Order, 'source'>, changes: OrderChanges): string[] =>
  source === 'merchant'
    ? []
    : paymentFields
        .filter((field) => changes[field] !== undefined)
        .map((field) => `${field}: is the payment's, which the service took itself; leave it out`);

const sortFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sortFields(one)]));
};

/** A digest that is equal for equal orders, whatever the order of their fields. */
export const contentDigest = (content: OrderContent): string => sha256(JSON.stringify(sortFields(content)));

/** Until when an order is kept: so many days after its transaction. ISO. */
export const keptUntilOf = (transactionDate: string, retainDays: number): string =>
  iso(Date.parse(transactionDate) + retainDays * milliseconds.day);

/** Every known refund, those sent by the merchant and those made by the service, oldest first. */
export const orderRefunds = ({ content, ownRefunds }: Pick<Order, 'content' | 'ownRefunds'>): OrderRefund[] =>
  [...(content.refunds ?? []), ...Object.values(ownRefunds)].sort((one, other) => (one.at < other.at ? -1 : 1));

/** Returns the refunded amount in the order's currency, in minor units. */
export const refundedMinor = (order: Pick<Order, 'content' | 'ownRefunds'>): bigint =>
  orderRefunds(order)
    .filter(({ currency }) => currency === order.content.currency)
    .reduce((sum, { amount, currency }) => sum + orderMinorOf(amount, currency), 0n);

/** Checks whether everything that was charged is refunded: a gift card may have paid the rest of the amount. */
export const isFullyRefunded = (order: Pick<Order, 'content' | 'ownRefunds'>): boolean =>
  refundedMinor(order) >= chargedMinor(order.content);

/** Checks whether an order is paid for, was not returned, and has no complaint: no alert, and no chargeback that was not won. */
export const isClean = (order: Order): boolean =>
  order.state === 'paid' &&
  order.payment?.voided !== true &&
  !isFullyRefunded(order) &&
  order.disputes.length === 0 &&
  order.content.reported !== true;

/** The price of the goods, in minor units: as the merchant says, or the total less its other parts. */
export const subtotalMinor = ({ currency, ...content }: OrderContent): bigint => {
  if (content.amount_subtotal !== undefined) return orderMinorOf(content.amount_subtotal, currency);
  const part = (amount: string | undefined) => (amount === undefined ? 0n : orderMinorOf(amount, currency));
  const rest =
    orderMinorOf(content.amount, currency) -
    part(content.amount_shipping) -
    part(content.amount_tax) +
    part(content.amount_coupon);
  return rest > 0n ? rest : orderMinorOf(content.amount, currency);
};

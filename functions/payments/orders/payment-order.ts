import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import type { KeptCard } from '#core/kernel/card/card.ts';
import { holdsCardNumber } from '#core/kernel/card/card-numbers.ts';
import { iso } from '#core/kernel/clock.ts';
import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import { plainLine } from '#core/kernel/schema/text.ts';
import { toDevice } from '#payments/fraud/check/subject.ts';
import { dividedHalfEven } from '#payments/payments/decimal.ts';
import type { Basket, BasketItem } from '#payments/payments/order/basket.ts';
import type { Payer, Shipping } from '#payments/payments/payer.ts';
import { deviceFromToken } from './device/device-token.ts';
import { keptUntilOf, maxBytes, type Order, type OrderContent, type OrderItem } from './order.ts';

/**
 * The order made from a payment of the service. Nothing is refused here: a payment is never declined because of what its order
 * would contain, so whatever does not fit is shortened or left out.
 */

/** A payment as it begins, and what else its call contained. */
export type PaymentMade = {
  txid: number;
  sid: number;
  mid: number;
  rid: number;
  /** The charged amount; the basket may be in another currency. */
  money: Money;
  basket: Basket;
  reference: string | null;
  tid: string | null;
  descriptor: string | null;
  card: KeptCard;
  payer: Payer;
  shipping: Shipping | null;
  /** `device_info` as it was sent. */
  device: Readonly<Record<string, unknown>> | null;
  /** ISO. */
  at: string;
};

const lineBreaks = /[\t\n\r\u2028\u2029]+/g;
const isPlain = (text: string): boolean => text.isWellFormed() && plainLine.test(text);

/** Text as orders may have it, in one line; undefined where there is none, or where a card number was typed into it. */
const keepText = (text: unknown, longest: number): string | undefined => {
  if (typeof text !== 'string') return undefined;
  // A cut within a surrogate pair would leave its first half.
  const short = text
    .replace(lineBreaks, ' ')
    .trim()
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return short === '' || !isPlain(short) || holdsCardNumber(text) ? undefined : short;
};

/** The same for identifiers, which are never shortened: that would make them different ones. */
const whole = (text: unknown, longest: number): string | undefined =>
  typeof text === 'string' && text.trim().length <= longest && isPlain(text.trim())
    ? keepText(text, longest)
    : undefined;

const isoTime = (text: unknown): string | undefined => {
  const time =
    typeof text === 'string' && /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : iso(time);
};

type Fields = Readonly<Record<string, unknown>>;

/** Without fields that have no value; undefined if nothing is left. */
const nonEmpty = <F extends Fields>(fields: F): { [K in keyof F]?: Exclude<F[K], undefined> } | undefined => {
  const some = dropUndefined(fields);
  return Object.keys(some).length === 0 ? undefined : some;
};

const longestReference = 65;

/** The merchant's name for it, or else the payment's number. */
const pickReference = ({ reference, tid, txid }: Pick<PaymentMade, 'reference' | 'tid' | 'txid'>): string =>
  keepText(reference, longestReference) ?? keepText(tid, longestReference) ?? String(txid);

const orderAddress = (place: Shipping | null, name: string | undefined): OrderContent['billing'] =>
  place === null
    ? undefined
    : nonEmpty({
        name,
        address: keepText(place.line1, 300),
        suburb_city: keepText(place.city, 100),
        state: keepText(place.state, 100),
        country: keepText(place.country, 2),
        postcode: keepText(place.postcode, 20),
      });

const toCustomer = ({ payer, device }: PaymentMade): OrderContent['customer'] =>
  nonEmpty({
    account_id: whole(device?.['account_id'], 65),
    firstname: keepText(payer.firstName, 100),
    lastname: keepText(payer.lastName, 100),
    email: keepText(payer.email, 254),
    phone: keepText(payer.phone, 40),
    account_created_at: isoTime(device?.['account_created_at']),
  });

const deviceFieldsOf = ({ device }: PaymentMade): OrderContent['device'] => {
  const { ip, userAgent } = toDevice(device);
  return nonEmpty({
    ...deviceFromToken(device?.['device_token'], null),
    ip: ip ?? undefined,
    ...dropUndefined({
      device_id: whole(device?.['device_id'], 64),
      device_fingerprint: whole(device?.['device_fingerprint'], 200),
      user_agent: keepText(userAgent, 500),
    }),
  });
};

/**
 * A part of the basket in the currency that is charged. If the payment was converted, the part keeps its share, so that the
 * parts of an order add up to what the statement shows.
 */
const inCharged = ({ basket, money }: PaymentMade, minor: bigint): bigint =>
  basket.currency === money.currency ? minor : dividedHalfEven(minor * money.minor, basket.total);

const toLine =
  (payment: PaymentMade) =>
  ({ name, sku, description, quantity, unit }: BasketItem): OrderItem => ({
    name: keepText(name, 100) ?? 'Item',
    quantity: String(quantity),
    amount_unit: formatAmount({ minor: inCharged(payment, unit), currency: payment.money.currency }),
    ...nonEmpty({ sku: keepText(sku, 100), description: keepText(description, 500) }),
  });

const paidAmounts = (payment: PaymentMade) => {
  const { basket, money } = payment;
  const [shipping, tax, coupon] = [basket.shipping, basket.tax, basket.coupon].map((part) => inCharged(payment, part));
  const amountText = (minor: bigint = 0n) => formatAmount({ minor, currency: money.currency });
  const goods = money.minor - (shipping ?? 0n) - (tax ?? 0n) + (coupon ?? 0n);
  return {
    amount: amountText(money.minor),
    currency: money.currency,
    amount_subtotal: amountText(goods),
    ...(shipping ? { amount_shipping: amountText(shipping) } : {}),
    ...(tax ? { amount_tax: amountText(tax) } : {}),
    ...(coupon ? { amount_coupon: amountText(coupon) } : {}),
  };
};

const toContent = (payment: PaymentMade): OrderContent => {
  const { card, at, payer, shipping, descriptor } = payment;
  const names = [keepText(payer.firstName, 100), keepText(payer.lastName, 100)].filter((part) => part !== undefined);
  const name = keepText(names.join(' '), 200);
  const content = {
    reference: pickReference(payment),
    order_date: at,
    transaction_date: at,
    ...paidAmounts(payment),
    card_firstsix: card.first6,
    card_lastfour: card.last4,
    card_type: card.scheme,
    items: payment.basket.items.map(toLine(payment)),
    ...nonEmpty({
      descriptor: keepText(descriptor, 25),
      customer: toCustomer(payment),
      device: deviceFieldsOf(payment),
      billing: orderAddress(payer.address, name),
      shipping: orderAddress(shipping, undefined),
    }),
  };
  return shortenContent(content);
};

const contentBytes = (content: OrderContent): number => Buffer.byteLength(JSON.stringify(content));
const plainItem = ({ name, quantity, amount_unit }: OrderItem): OrderItem => ({ name, quantity, amount_unit });

/** Shortened to the largest size of an order: first without descriptions, then without the last items. */
const shortenContent = (content: OrderContent): OrderContent => {
  if (contentBytes(content) <= maxBytes) return content;
  const items = content.items.map(plainItem);
  while (contentBytes({ ...content, items }) > maxBytes && items.length > 1)
    items.length = Math.ceil(items.length * 0.8) - 1;
  return { ...content, items };
};

/** The order as it stands until its payment is made: no provider sees it. */
export const orderOfPayment = (payment: PaymentMade, { profile, retainDays }: OrderProfile): Order => {
  const { txid, mid, rid, sid, at, card } = payment;
  const content = toContent(payment);
  return {
    orderId: txid,
    mid,
    rid,
    sid,
    content,
    profile,
    retainDays,
    source: 'payment',
    state: 'unpaid',
    cardDigest: card.token,
    payment: null,
    ownRefunds: {},
    disputes: [],
    createdAt: at,
    updatedAt: at,
    keptUntil: keptUntilOf(at, retainDays),
    version: 1,
  };
};

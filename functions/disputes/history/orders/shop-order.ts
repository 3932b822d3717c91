import * as v from 'valibot';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import { formatAmount, type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { type Order, type OrderContent, type OrderRefund, orderContent, orderMinorOf } from '#payments/orders/order.ts';
import { type OrderChanges, OrderFields } from '#payments/orders/schemas.ts';
import type { OrderRetry, SourcePosition, SourceTrouble } from '#payments/orders/source/order-source.ts';

/** Orders as shops have them, and what is stored of them. Pure. */

/** The card of an order, and what its processor says of the charge; texts are empty where it does not say. */
export type OrderCard = { first6: string; last4: string; card_type: string } & Pick<
  OrderContent,
  'arn' | 'auth_code' | 'processor'
>;

/** An order of a shop. Only one that `isPaid` by card is stored. */
export type ShopOrder = {
  /** The shop's own identifier, by which it is asked for the order. */
  shopId: string;
  reference: string;
  /** ISO. */
  modifiedAt: string;
  /** The shop's own cursor after it, where the list states one. */
  place?: string | undefined;
  isPaid: boolean;
  total: Money;
  /** The processor's reference of its charge; empty where the shop does not say. */
  charge: string;
  card: OrderCard | null;
  hasRefunds: boolean;
  /** True if the shop states that the whole order was refunded. */
  isRefunded?: boolean;
  /** The refunds that the list of orders states. */
  refunds: readonly OrderRefund[];
  /** True if the list also states a refund without its amount. */
  hasUnstated?: boolean;
  /** Fields of the order API without the card and the refunds, not checked yet. */
  fields: Readonly<Record<string, unknown>>;
};

/** An order in a form that is not known. `field`: the first that has another form than documented. `modifiedAt`: ISO; null: not readable. */
export type UnreadableOrder = Pick<ShopOrder, 'shopId' | 'reference'> & { modifiedAt: string | null; field: string };

type OrdersOfShop = { orders: readonly ShopOrder[]; unreadable: readonly UnreadableOrder[] };

/** A page of a shop's orders by their last change, the oldest first. */
export type ShopPage = OrdersOfShop & {
  position: SourcePosition;
  isLast: boolean;
};

const name = v.optional(v.fallback(v.union([v.string(), v.number()]), ''), '');

/** The fields by which any shop names an order and its last change. */
const Identified = v.fallback(
  v.object({ id: name, number: name, name, date_modified_gmt: name, updatedAt: name }),
  () => ({ id: '', number: '', name: '', date_modified_gmt: '', updatedAt: '' }),
);

const unreadableOrder = (body: unknown, field: string): UnreadableOrder => {
  const { id, number, name, date_modified_gmt: gmt, updatedAt } = v.parse(Identified, body);
  const modified = Date.parse(gmt === '' ? String(updatedAt) : `${gmt}Z`);
  const reference = String(number || name || id).trim();
  return { shopId: String(id), reference, modifiedAt: Number.isNaN(modified) ? null : iso(modified), field };
};

/** Reads a shop's list of orders. `read`: an order, or its first field that has another form than documented. */
export const readShopOrders = (
  bodies: readonly unknown[],
  read: (body: unknown, index: number) => ShopOrder | string,
): OrdersOfShop => {
  const orders: ShopOrder[] = [];
  const unreadable: UnreadableOrder[] = [];
  for (const [index, body] of bodies.entries()) {
    const order = read(body, index);
    if (typeof order === 'string') unreadable.push(unreadableOrder(body, order));
    else orders.push(order);
  }
  return { orders, unreadable };
};

/** The first field that a schema refuses, as a path such as `line_items.0.quantity`. */
export const refusedField = (issues: readonly v.BaseIssue<unknown>[] | undefined, whole: string): string =>
  issues?.map((issue) => issuePath(issue).join('.')).find((path) => path !== '') ?? whole;

/** The last change on a page (ISO), also of orders that could not be read; undefined if no order states it. */
export const lastChangeOf = ({ orders, unreadable }: OrdersOfShop): string | undefined =>
  [...orders, ...unreadable]
    .flatMap(({ modifiedAt }) => modifiedAt ?? [])
    .toSorted()
    .at(-1);

/** The refunds of an order. `contradiction`: what the shop states in two ways, in words. */
export type RefundsOfShop = { refunds: readonly OrderRefund[]; contradiction?: string };

/** Why the refunds of one order cannot be read, in words that begin with a field. */
export type RefundsUnread = { unread: string };

/** The port to a shop. It never throws for what the shop answers. */
export type ShopPort = {
  page(position: SourcePosition): Promise<ShopPage | SourceTrouble>;
  /** The present state of some orders. */
  again(retries: readonly OrderRetry[]): Promise<OrdersOfShop | SourceTrouble>;
  refunds(order: ShopOrder): Promise<RefundsOfShop | RefundsUnread | SourceTrouble>;
  /** Orders of which the newest refunds since `after` (ISO) are; only shops whose list of orders may withhold refunds have it. */
  refunded?(after: string): Promise<readonly ShopOrder[] | SourceTrouble>;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const unprintable = /[\s\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** A shop's text as the order API accepts it: one line, cut, and without card numbers; undefined if nothing is left. */
export const cleanText = (text: unknown, longest: number): string | undefined => {
  if (typeof text !== 'string') return undefined;
  const line = text.toWellFormed().replace(unprintable, ' ').trim();
  return maskCardNumbers(line).slice(0, longest).toWellFormed().trim() || undefined;
};

/** A decimal of a shop; null if it is none. */
export const readMoney = (amount: unknown, currency: string): Money | null => {
  const money = parseAmount(withoutZeroFraction(String(amount), currency), currency);
  return typeof money === 'string' ? null : money;
};

/** The parts of a total, of which a shop states all but the subtotal, fees included. Empty where they do not add up. */
export const partsOfTotal = (total: Money, amounts: readonly [tax: string, shipping: string, discount: string]) => {
  const { currency } = total;
  const [tax, shipping, coupon] = amounts.map((amount) => readMoney(amount, currency));
  if (!tax || !shipping || !coupon) return {};
  const minor = total.minor - tax.minor - shipping.minor + coupon.minor;
  if (minor < 0n) return {};
  return {
    amount_subtotal: formatAmount({ minor, currency }),
    amount_shipping: formatAmount(shipping),
    amount_tax: formatAmount(tax),
    amount_coupon: formatAmount(coupon),
  };
};

/** The last change that a page may claim: a shop's clock that is ahead must not skip the orders to come. `now`: ISO. */
const notAhead = (at: string, now: string): string => (at < now ? at : now);

/** Writes of a shop may become visible a little later than others that were made after them. */
const overlap = 2 * milliseconds.minute;

/**
 * The time from which the next page is read; null: the orders that the shop lists next are of the same second. `isExact`: the time is included,
 * not excluded. Orders of one second are in no known order, so the last second of a page is read again.
 */
export const nextAfter = (
  before: string,
  last: string,
  { isLast, isExact, now }: { isLast: boolean; isExact: boolean; now: string },
): string | null => {
  const back = isLast ? overlap : isExact ? 0 : milliseconds.second;
  const wanted = toSecond(iso(Date.parse(notAhead(last, now)) - back));
  return wanted > toSecond(before) ? wanted : null;
};

const toSecond = (at: string): string => `${at.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}.000Z`;

type Path = readonly (string | number)[];

const without = (value: unknown, [name, ...rest]: Path): unknown => {
  if (Array.isArray(value)) {
    return value.flatMap((one, index) =>
      String(index) !== String(name) ? [one] : rest.length === 0 ? [] : [without(one, rest)],
    );
  }
  if (typeof value !== 'object' || value === null || name === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key !== String(name) ? [[key, one]] : rest.length === 0 ? [] : [[key, without(one, rest)]],
    ),
  );
};

const issuePath = (issue: v.BaseIssue<unknown>): Path => (issue.path ?? []).map(({ key }) => key as string | number);

/** A field of a list within an object within the order. */
const maxDepth = 4;

/**
 * The order as it is stored, or why the order API would refuse it. Fields that are optional are left out where it would refuse them: an
 * e-mail address with a typing error must not keep the order from banks. `now`: ISO.
 */
export const shopOrderContent = (
  { reference, fields }: ShopOrder,
  { first6, last4, ...card }: OrderCard,
  { refunds, now }: { refunds: readonly OrderRefund[]; now: string },
): OrderContent | string => {
  let draft: unknown = {
    ...fields,
    ...{ reference, card_firstsix: first6, card_lastfour: last4, ...card },
    ...(refunds.length > 0 && { refunds }),
  };
  const words: string[] = [];
  // Leaving out a field may make the object around it invalid, which is then left out in the next round.
  for (let round = 0; round < maxDepth; round += 1) {
    const { success, output, issues = [] } = v.safeParse(OrderFields, draft);
    if (success) {
      const content = orderContent(output, now);
      return Array.isArray(content) ? content.join('; ') : content;
    }
    if (round === 0) words.push(...issues.map((issue) => `${issuePath(issue).join('.')}: ${issue.message}`));
    // The last of a list first, so that the places of the others stay.
    draft = issues
      .toReversed()
      .map(issuePath)
      .reduce<unknown>((rest, path) => without(rest, path.slice(0, Math.max(1, path.length - round))), draft);
  }
  return words.join('; ');
};

export const sumOfRefunds = (refunds: readonly OrderRefund[], currency: string): bigint =>
  refunds.filter((one) => one.currency === currency).reduce((sum, one) => sum + orderMinorOf(one.amount, currency), 0n);

const { entries } = OrderFields;
/** The fields that change when an order is edited in its shop. */
const EditedFields = v.object({
  ...{ amount: entries.amount, amount_subtotal: entries.amount_subtotal, amount_shipping: entries.amount_shipping },
  ...{ amount_tax: entries.amount_tax, amount_coupon: entries.amount_coupon, items: entries.items },
  charges: entries.charges,
});

/** Returns what of an order was edited in its shop, if it was imported from there and its amount or its charges changed since. */
const pickEdits = ({ content }: Order, { card, fields, charge }: Pick<ShopOrder, 'card' | 'fields' | 'charge'>) => {
  // WooCommerce does not state the charges of an order, so its edits are not told from other payments.
  if (charge !== '' || !card?.processor || card.processor.reference !== content.processor?.reference) return null;
  const { success, output } = v.safeParse(EditedFields, fields);
  if (!success) return null;
  const isSame = output.amount === content.amount && sortedText(output.charges) === sortedText(content.charges);
  const cleared = Object.keys(EditedFields.entries).map((name) => [name, null]);
  return isSame ? null : { ...Object.fromEntries(cleared), ...dropUndefined(output) };
};

/** A text that is equal for equal charges, whatever the order of their fields. */
const sortedText = (charges: OrderContent['charges']): string =>
  JSON.stringify((charges ?? []).map((one) => Object.entries(one).toSorted()));

/**
 * Returns what a shop's later state adds to a stored order; null: nothing. Refunds that the service made are also among the shop's, so
 * the shop's refunds count only where there are none of them, and only where they are more than is known.
 */
export const changesFromShop = (
  order: Order,
  refunds: readonly OrderRefund[],
  shown: Pick<ShopOrder, 'card' | 'fields' | 'charge'>,
): OrderChanges | null => {
  const { source, content, ownRefunds } = order;
  if (source !== 'merchant') return null;
  const { currency } = content;
  const isMore =
    Object.keys(ownRefunds).length === 0 &&
    sumOfRefunds(refunds, currency) > sumOfRefunds(content.refunds ?? [], currency);
  const sent = v.safeParse(entries.deliveries, shown.fields['deliveries']);
  const news = sent.success && sent.output && sent.output.length > 0 ? sent.output : undefined;
  const isNews = news !== undefined && JSON.stringify(news) !== JSON.stringify(content.deliveries ?? []);
  const edits = pickEdits(order, shown);
  if (!isMore && !isNews && !edits) return null;
  return { ...edits, ...(isMore && { refunds: [...refunds] }), ...(isNews && { deliveries: news }) };
};

/** A refund of a shop; undefined if its amount is not readable. */
export const refundFrom = (money: Money | null, at: string, reference: string): OrderRefund | undefined =>
  money && money.minor > 0n
    ? { amount: formatAmount(money), currency: money.currency, at, ...(reference && { reference }) }
    : undefined;

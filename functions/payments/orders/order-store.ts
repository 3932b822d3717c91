import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import {
  firstOrderProfile,
  fromOrderProfileItem,
  keepsOrders,
  toOrderProfileItem,
} from '#accounts/merchants/settings/order-profile-row.ts';
import { siteForCaller } from '#accounts/merchants/site/site-store.ts';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, queryItems, tryTransact } from '#core/platform/table/table.ts';
import { contentDigest, keptUntilOf, type Order, type OrderContent } from './order.ts';
import { fromPlaceItem, toPlaced, toPlaceItem } from './order-place-row.ts';
import {
  arnWrite,
  fromReferenceItem,
  isErasedReference,
  referenceKey,
  toReferenceItem,
} from './order-reference-row.ts';
import { endsOfOrder, fromOrderItem, orderKeyOfOtherCard, otherCardWrites, toOrderItem } from './order-row.ts';

/** A site that keeps orders, with its shop's profile. Throws site_not_found, orders_disabled. */
export const orderSiteForCaller = async (sid: number, caller: Caller): Promise<OrderProfile> => {
  const site = await siteForCaller(sid, caller);
  const [merchantItem, profileItem] = await getItems([keys.merchant(site.mid), keys.orderProfile(sid)]);
  const merchant = fromMerchantItem(merchantItem);
  if (!merchant || !keepsOrders(merchant)) {
    throw new Refusal('orders_disabled', 'sid: its merchant was created without order_insights.');
  }
  return fromOrderProfileItem(profileItem) ?? firstOrderProfile(site);
};

export type CreatedOrder = { orderId: number; created: boolean };

/** A new order sent by a merchant, with its own number. */
const newOrder = (owner: OrderProfile, content: OrderContent, at: string): Order => ({
  orderId: newTimedId(),
  mid: owner.mid,
  rid: owner.rid,
  sid: owner.sid,
  source: 'merchant',
  state: 'paid',
  content,
  cardDigest: null,
  profile: owner.profile,
  payment: null,
  ownRefunds: {},
  disputes: [],
  retainDays: owner.retainDays,
  createdAt: at,
  updatedAt: at,
  keptUntil: keptUntilOf(content.transaction_date, owner.retainDays),
  version: 1,
});

/** Refuses an order whose time to be kept is already over. */
const checkAge = ({ retainDays }: Pick<Order, 'retainDays'>, { transaction_date }: OrderContent): void => {
  if (keptUntilOf(transaction_date, retainDays) > nowIso()) return;
  throw new Refusal(
    'request_invalid',
    `transaction_date: is longer ago than the ${retainDays} days for which the site's orders are kept`,
  );
};

/**
 * Sites created before orders existed have no profile, and alerts and payments use it to see who keeps orders. One transaction,
 * once per site.
 */
const withProfile = async (owner: OrderProfile): Promise<void> => {
  if (owner.version > 0) return;
  await tryTransact({ profile: newRow(toOrderProfileItem({ ...owner, version: 1 })) });
};

/**
 * Stores an order. If one with the same reference and content exists, that one is returned. One transaction, unless there is
 * a conflict. Throws order_reference_taken, request_invalid.
 */
export const createOrder = async (owner: OrderProfile, content: OrderContent): Promise<CreatedOrder> => {
  checkAge(owner, content);
  await withProfile(owner);
  const digest = contentDigest(content);
  return retryOnConflict(async () => {
    const at = nowIso();
    const order = newOrder(owner, content, at);
    const conflict = await tryTransact({
      reference: { Put: { Item: toReferenceItem(order, digest), ...isFreeReference(at) } },
      order: newRow(toOrderItem(order)),
      place: newRow(toPlaceItem(toPlaced(order))),
      otherCards: otherCardWrites(null, order),
      arn: content.arn === undefined ? undefined : arnWrite({ ...order, ends: endsOfOrder(content) }, content.arn),
    });
    if (!conflict) return { orderId: order.orderId, created: true };
    const earlier = fromReferenceItem(conflict.itemOf('reference'), at);
    if (!earlier) throw conflict;
    // If the reference is this order's, the answer to the first try of the same transaction was lost.
    if (earlier.id === order.orderId) return { orderId: order.orderId, created: true };
    return { orderId: sameOrder(earlier, digest), created: false };
  });
};

/** A reference whose order's time is over may be used again before its row is gone. */
export const isFreeReference = (at: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #keptUntil <= :at',
  ExpressionAttributeNames: { '#keptUntil': 'keptUntil' },
  ExpressionAttributeValues: { ':at': at },
});

const sameOrder = ({ id, digests }: { id: number; digests: readonly string[] }, digest: string): number => {
  if (digests.includes(digest)) return id;
  throw new Refusal('order_reference_taken', `reference: order ${id} of the site has it, with different content.`);
};

const orderNotFound = () => new Refusal('order_not_found', 'id: you have no such order.');

type Found = { mid: number; order: Order | null };

/** For deletions: what has expired but is still there has to go as well. */
export const whateverItsTime = '';

/** An order, read where its place says that it is; it may be moved or deleted in between. `at`: ISO, now. */
const findOrder = async (orderId: number, at: string): Promise<Found | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    const place = fromPlaceItem(await getItem(keys.orderPlace(orderId)), at);
    if (!place) return undefined;
    const order = place.key === null ? undefined : fromOrderItem(await getItem(place.key), at);
    if (order || place.key === null || attempt > 2) return { mid: place.mid, order: order ?? null };
  }
};

/** An order whose merchant the caller may see; one that was deleted is null. Throws order_not_found. Two calls. */
export const findOrderForCaller = async (
  orderId: number,
  caller: Caller,
  at: string = nowIso(),
): Promise<Order | null> => {
  const found = await findOrder(orderId, at);
  if (!found || !canAccessMerchant(caller, found.mid)) throw orderNotFound();
  return found.order;
};

/** Also throws order_not_found for one that was deleted, or that the caller may not see. */
export const orderForCaller = async (orderId: number, caller: Caller): Promise<Order> => {
  const order = await findOrderForCaller(orderId, caller);
  if (!order) throw orderNotFound();
  return order;
};

/** An order by its number, for the service itself; undefined if it no longer exists. Two calls. */
export const getOrder = async (orderId: number): Promise<Order | undefined> =>
  (await findOrder(orderId, nowIso()))?.order ?? undefined;

/** The period that a look-up reads: what Compelling Evidence 3.0 can use, and a month. */
const lookBack = 400 * milliseconds.day;
/** Banks report days that differ; see order-match.ts. */
const margin = 5 * milliseconds.day;

export type OrdersOfCard = {
  orders: Order[];
  /** True if every order near the date asked for is among them. */
  isWhole: boolean;
};

/**
 * A merchant's orders with a card's first and last digits, newest first, 400 days back, or as far as a date that is asked about. One call,
 * one page of at most 1 MB; another for each 100 orders that this card paid in part.
 */
export const readOrdersOfCard = async (mid: number, ends: string, date?: string): Promise<OrdersOfCard> => {
  const now = nowMilliseconds();
  const asked = date === undefined ? now : Date.parse(date) - margin;
  const { items, lastKey } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': keys.ordersOfCard(mid, ends), ':from': iso(Math.min(now - lookBack, asked)) },
    ScanIndexForward: false,
  });
  const others = items.flatMap((item) => orderKeyOfOtherCard(item, iso(now)) ?? []);
  const named = others.length === 0 ? [] : await getItems(others);
  const orders = [...items, ...named].flatMap((item) => fromOrderItem(item, iso(now)) ?? []);
  const oldest = items.at(-1)?.['sk'];
  return { orders, isWhole: lastKey === undefined || (date !== undefined && String(oldest) < iso(asked)) };
};

/** The order that has a site's reference; undefined if none has. */
export const orderIdOfReference = async (sid: number, reference: string): Promise<number | undefined> =>
  (await findReference(sid, reference)).id;

/** The same; `isErased`: the order that had it was erased, and no import may store it again. */
export const findReference = async (
  sid: number,
  reference: string,
): Promise<{ id: number | undefined; isErased: boolean }> => {
  const item = await getItem(referenceKey(sid, reference));
  return { id: fromReferenceItem(item, nowIso())?.id, isErased: isErasedReference(item) };
};

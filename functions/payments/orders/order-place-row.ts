import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition, uncountedScope } from '#core/platform/lists/listing.ts';
import type { Item, Key } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { canonicalEmail } from '#payments/fraud/check/subject.ts';
import type { Order, OrderContent } from './order.ts';
import { ttlAt } from './order-row.ts';

/** The rows of orders' places: by number, and in the lists of a customer, a merchant and a site. */

/** Orders are listed under this entity: the order's own row shares its partition with others, which lists cannot count. */
export const placeEntity = 'ORDERPLACE';

/** The names of a customer in keys: an index reveals neither address nor account. */
export const accountScope = (mid: number, accountId: string): string =>
  uncountedScope(`A${sha256(`${mid}\n${accountId.trim()}`).slice(0, 40)}`);
export const emailScope = (mid: number, email: string): string =>
  uncountedScope(`E${sha256(`${mid}\n${canonicalEmail(email)}`).slice(0, 40)}`);
const merchantScope = (mid: number): string => `M${mid}`;
const siteScope = (sid: number): string => `S${sid}`;

/** The place of each list: see listKeys. */
export const orderLists = { email: 1, merchant: 2, account: 3, site: 4 } as const;

export const disputedFacets = ['disputed', 'undisputed'] as const;

/** The part of an order that a list shows, and what is needed to find it. */
export type OrderSummary = {
  order_id: number;
  sid: number;
  reference: string;
  source: Order['source'];
  order_date: string;
  amount: string;
  currency: string;
  card: string;
  card_type: OrderContent['card_type'];
  disputed: boolean;
  created_at: string;
  kept_until: string;
};

/** The fields from which the place of an order is made; a payment's row knows these about its order. */
export type Placed = Pick<Order, 'orderId' | 'mid' | 'sid' | 'source' | 'createdAt' | 'keptUntil'> & {
  content: Pick<
    OrderContent,
    | 'reference'
    | 'order_date'
    | 'transaction_date'
    | 'amount'
    | 'currency'
    | 'card_firstsix'
    | 'card_lastfour'
    | 'card_type'
  >;
  /** Scopes of lists; null where the customer has none. */
  account: string | null;
  email: string | null;
  disputed: boolean;
};

export const toPlaced = ({ disputes, ...order }: Order): Placed => {
  const { account_id: accountId, email } = order.content.customer ?? {};
  return {
    ...order,
    account: accountId === undefined ? null : accountScope(order.mid, accountId),
    email: email === undefined ? null : emailScope(order.mid, email),
    disputed: disputes.length > 0,
  };
};

const toOrderSummary = ({ orderId, sid, source, content, disputed, createdAt, keptUntil }: Placed): OrderSummary => ({
  order_id: orderId,
  sid,
  reference: content.reference,
  source,
  order_date: content.order_date,
  amount: content.amount,
  currency: content.currency,
  card: `${content.card_firstsix}******${content.card_lastfour}`,
  card_type: content.card_type,
  disputed,
  created_at: createdAt,
  kept_until: keptUntil,
});

const PlaceRow = defineRow<{ id: number; mid: number; ends: string; transactionDate: string; keptUntil: string }>({
  entity: placeEntity,
  attribute: null,
  schema: v.looseObject({
    id: v.number(),
    mid: v.number(),
    ...texts('ends', 'transactionDate', 'keptUntil'),
  }),
});

/** The place of an order that was deleted. */
const DeletedRow = defineRow<{ mid: number; deleted: true }>({
  entity: placeEntity,
  attribute: null,
  schema: v.looseObject({ mid: v.number(), deleted: v.literal(true) }),
});

export const toPlaceItem = (placed: Placed): Item => {
  const { orderId, mid, sid, source, content, account, email, disputed, keptUntil } = placed;
  return {
    ...keys.orderPlace(orderId),
    ...PlaceRow.stamp,
    id: orderId,
    mid,
    ends: `${content.card_firstsix}-${content.card_lastfour}`,
    transactionDate: content.transaction_date,
    ...listKeys(
      placeEntity,
      [email, merchantScope(mid), account, siteScope(sid)],
      facetOf(source, disputed ? 'disputed' : 'undisputed'),
      listPosition(content.order_date, orderId),
    ),
    summary: toOrderSummary(placed),
    keptUntil,
    ttl: ttlAt(keptUntil),
  };
};

/** Where an order's row is; or that it was deleted, after which only its merchant is known. */
export type OrderPlace = { mid: number; key: Key } | { mid: number; key: null };

export const fromPlaceItem = (item: Item | undefined, at: string): OrderPlace | undefined => {
  if (item === undefined) return undefined;
  if (item['deleted'] === true) return { mid: DeletedRow.read(item).mid, key: null };
  const { id, mid, ends, transactionDate, keptUntil } = PlaceRow.read(item);
  return keptUntil <= at ? undefined : { mid, key: keys.order(mid, ends, transactionDate, id) };
};

/**
 * The item that replaces a deleted order for a while, so that deleting it again gets the answer that it is gone. It has the same entity, so
 * that the counter removes it from the lists.
 */
export const deletedPlaceItem = (orderId: number, mid: number, until: string): Item => ({
  ...keys.orderPlace(orderId),
  ...DeletedRow.stamp,
  deleted: true,
  mid,
  ttl: ttlAt(until),
});

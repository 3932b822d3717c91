import * as v from 'valibot';
import { sha256 } from '../core/crypto.ts';
import { keys } from '../core/keys.ts';
import { facetOf, listKeys, listPosition, uncounted } from '../core/listing.ts';
import type { Item, Key, Write } from '../core/table.ts';
import { canonicalEmail } from '../fraud/subject.ts';
import type { ShopProfile } from '../merchants/order-profile.ts';
import {
  contentDigest,
  type Order,
  type OrderContent,
  type OrderPayment,
  type OrderRefund,
  orderSources,
} from './order.ts';

/** How orders lie in the table: each with its place, its reference, and the acquirer's number of its payment. */

const schemaVersion = 1;

/** Under this entity orders are listed; the order itself shares its partition with others, which lists cannot count. */
export const placeEntity = 'ORDERPLACE';

/** The ends of a card as keys have them. */
export const endsOf = ({ first6, last4 }: { first6: string; last4: string }): string => `${first6}-${last4}`;
/** The ends of an order's card. */
export const endsOfOrder = ({ card_firstsix, card_lastfour }: OrderContent): string =>
  `${card_firstsix}-${card_lastfour}`;

/** When a row may be removed, in the unit of DynamoDB. */
export const ttlOf = (keptUntil: string): number => Math.ceil(Date.parse(keptUntil) / 1000);

export const orderKey = ({ mid, orderId, content }: Pick<Order, 'mid' | 'orderId' | 'content'>): Key =>
  keys.order(mid, endsOfOrder(content), content.transaction_date, orderId);

/** `disputes` and `ownRefunds` are maps, so that two alerts or refunds at the same moment do not undo each other. */
export const toOrderItem = (order: Order): Item => ({
  ...orderKey(order),
  entity: 'ORDER',
  schemaVersion,
  id: order.orderId,
  mid: order.mid,
  rid: order.rid,
  sid: order.sid,
  source: order.source,
  state: order.state,
  content: order.content,
  cardDigest: order.cardDigest,
  profile: order.profile,
  payment: order.payment,
  ownRefunds: order.ownRefunds,
  disputes: Object.fromEntries(order.disputes.map(({ alertId, type, at }) => [String(alertId), { type, at }])),
  retainDays: order.retainDays,
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
  keptUntil: order.keptUntil,
  version: order.version,
  ttl: ttlOf(order.keptUntil),
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const Row = v.object({
  id: v.number(),
  mid: v.number(),
  rid: v.number(),
  sid: v.number(),
  source: v.picklist(orderSources),
  state: v.picklist(['unpaid', 'paid']),
  content: v.custom<OrderContent>(isObject),
  cardDigest: v.nullable(v.string()),
  profile: v.custom<ShopProfile>(isObject),
  payment: v.nullable(v.custom<Omit<OrderPayment, 'processor' | 'reference'>>(isObject)),
  ownRefunds: v.record(v.string(), v.custom<OrderRefund>(isObject)),
  disputes: v.record(v.string(), v.object({ type: v.string(), at: v.string() })),
  retainDays: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  keptUntil: v.string(),
  version: v.number(),
  /** The acquirer's numbers of a payment that the service took: written beside what was there before they were known. */
  arn: v.optional(v.string()),
  authCode: v.optional(v.string()),
  charge: v.optional(v.object({ processor: v.nullable(v.string()), reference: v.nullable(v.string()) })),
});

/** Reads an order back; undefined where there is none, or its time is over. `at`: ISO, now. */
export const fromOrderItem = (item: Item | undefined, at: string): Order | undefined => {
  if (item === undefined) return undefined;
  const { id, disputes, content, arn, authCode, charge, payment, ...row } = v.parse(Row, item);
  if (row.keptUntil <= at) return undefined;
  return {
    orderId: id,
    ...row,
    payment: payment && { ...(charge ?? { processor: null, reference: null }), ...payment },
    content: { ...content, ...(arn !== undefined && { arn }), ...(authCode !== undefined && { auth_code: authCode }) },
    disputes: Object.entries(disputes).map(([alertId, { type, at: since }]) => ({
      alertId: Number(alertId),
      type,
      at: since,
    })),
  };
};

/** The names of a customer in keys: whoever reads an index learns neither address nor account from it. */
export const accountScope = (mid: number, accountId: string): string =>
  uncounted(`A${sha256(`${mid}\n${accountId.trim()}`).slice(0, 40)}`);
export const emailScope = (mid: number, email: string): string =>
  uncounted(`E${sha256(`${mid}\n${canonicalEmail(email)}`).slice(0, 40)}`);
export const merchantScope = (mid: number): string => `M${mid}`;
export const siteScope = (sid: number): string => `S${sid}`;

/** Which of the lists stands where: see listKeys. */
export const orderLists = { email: 1, merchant: 2, account: 3, site: 4 } as const;

export const disputedFacets = ['disputed', 'undisputed'] as const;

/** What of an order a list shows, and what is needed to find it. */
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

/** What the place of an order is made of; a payment's row says as much of its order. */
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

export const placedOf = ({ disputes, ...order }: Order): Placed => {
  const { account_id: accountId, email } = order.content.customer ?? {};
  return {
    ...order,
    account: accountId === undefined ? null : accountScope(order.mid, accountId),
    email: email === undefined ? null : emailScope(order.mid, email),
    disputed: disputes.length > 0,
  };
};

const summaryOf = ({ orderId, sid, source, content, disputed, createdAt, keptUntil }: Placed): OrderSummary => ({
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

export const toPlaceItem = (placed: Placed): Item => {
  const { orderId, mid, sid, source, content, account, email, disputed, keptUntil } = placed;
  return {
    ...keys.orderPlace(orderId),
    entity: placeEntity,
    schemaVersion,
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
    summary: summaryOf(placed),
    keptUntil,
    ttl: ttlOf(keptUntil),
  };
};

/** Where an order lies; or that it was deleted, of which nothing but its merchant is known. */
export type Place = { mid: number; key: Key } | { mid: number; key: null };

const PlaceRow = v.object({
  id: v.number(),
  mid: v.number(),
  ends: v.string(),
  transactionDate: v.string(),
  keptUntil: v.string(),
});
const Deleted = v.object({ mid: v.number(), deleted: v.literal(true) });

export const fromPlaceItem = (item: Item | undefined, at: string): Place | undefined => {
  if (item === undefined) return undefined;
  if (item['deleted'] === true) return { ...v.parse(Deleted, item), key: null };
  const { id, mid, ends, transactionDate, keptUntil } = v.parse(PlaceRow, item);
  return keptUntil <= at ? undefined : { mid, key: keys.order(mid, ends, transactionDate, id) };
};

/**
 * What takes the place of a deleted order for a while, so that whoever deletes it again is told that it is gone. Of the same
 * entity, so that the counter takes it from the lists.
 */
export const deletedPlaceItem = (orderId: number, mid: number, until: string): Item => ({
  ...keys.orderPlace(orderId),
  entity: placeEntity,
  schemaVersion,
  deleted: true,
  mid,
  ttl: ttlOf(until),
});

export const referenceKey = (sid: number, reference: string): Key => keys.orderReference(sid, sha256(reference));

/** Which order has a reference, and what makes sending it again the same order: its content, then and now. */
export const toReferenceItem = (order: Order, firstDigest: string): Item => ({
  ...referenceKey(order.sid, order.content.reference),
  entity: 'ORDERREF',
  schemaVersion,
  id: order.orderId,
  digests: [...new Set([firstDigest, contentDigest(order.content)])],
  keptUntil: order.keptUntil,
  ttl: ttlOf(order.keptUntil),
});

const ReferenceRow = v.object({ id: v.number(), digests: v.array(v.string()), keptUntil: v.string() });
export type Reference = v.InferOutput<typeof ReferenceRow>;

export const fromReferenceItem = (item: Item | undefined, at: string): Reference | undefined => {
  if (item === undefined) return undefined;
  const reference = v.parse(ReferenceRow, item);
  return reference.keptUntil <= at ? undefined : reference;
};

/** A merchant's attribute of an acquirer's number: several merchants may say that they have it, and neither harms the other. */
const merchantAttribute = (mid: number): string => `m${mid}`;

/** The part of a transaction that says on which card a merchant's payment of this number was. */
export const arnWrite = (
  { mid, ends, keptUntil }: Pick<Order, 'mid' | 'keptUntil'> & { ends: string },
  arn: string,
): Write => ({
  Update: {
    Key: keys.orderArn(arn),
    UpdateExpression: 'SET #entity = :entity, #own = :ends, #ttl = :ttl ADD #mids :mid',
    ExpressionAttributeNames: { '#entity': 'entity', '#own': merchantAttribute(mid), '#ttl': 'ttl', '#mids': 'mids' },
    ExpressionAttributeValues: {
      ':entity': 'ORDERARN',
      ':ends': { ends, keptUntil },
      ':ttl': ttlOf(keptUntil),
      ':mid': new Set([mid]),
    },
  },
});

/** The part that removes the number. Its condition fails where another merchant has it too: then only its own part goes. */
const arnRemoval = (mid: number, arn: string): Write => ({
  Delete: {
    Key: keys.orderArn(arn),
    ConditionExpression: 'attribute_not_exists(#mids) OR #mids = :mid',
    ExpressionAttributeNames: { '#mids': 'mids' },
    ExpressionAttributeValues: { ':mid': new Set([mid]) },
  },
});

/** The same where other merchants have it. */
const ownArnRemoval = (mid: number, arn: string): Write => ({
  Update: {
    Key: keys.orderArn(arn),
    UpdateExpression: 'REMOVE #own DELETE #mids :mid',
    ExpressionAttributeNames: { '#own': merchantAttribute(mid), '#mids': 'mids' },
    ExpressionAttributeValues: { ':mid': new Set([mid]) },
  },
});

/** The part that removes the number. `isShared`: another merchant has it too. */
export const arnGone = (mid: number, arn: string, isShared: boolean): Write =>
  isShared ? ownArnRemoval(mid, arn) : arnRemoval(mid, arn);

/** That nobody else has changed an order since it was read. */
export const unchangedOrder = ({ version }: Pick<Order, 'version'>) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

const ArnEntry = v.object({ ends: v.string(), keptUntil: v.string() });

/** The ends of the card that a merchant's payment of this number was on. */
export const endsOfArn = (item: Item | undefined, mid: number, at: string): string | undefined => {
  const entry = item?.[merchantAttribute(mid)];
  if (entry === undefined) return undefined;
  const { ends, keptUntil } = v.parse(ArnEntry, entry);
  return keptUntil <= at ? undefined : ends;
};

import * as v from 'valibot';
import { isObject } from '../core/is-object.ts';
import { keys } from '../core/keys.ts';
import type { Item, Key } from '../core/table.ts';
import type { ShopProfile } from '../merchants/order-profile.ts';
import { type Order, type OrderContent, type OrderPayment, type OrderRefund, orderSources } from './order.ts';

/** The rows of orders in the table. Their places in lists, references and acquirer's numbers have rows of their own. */

const schemaVersion = 1;

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
  /** The acquirer's number of a payment that the service took: added to the row when it becomes known. */
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

/** The condition that nobody else has changed an order since it was read. */
export const unchangedOrder = ({ version }: Pick<Order, 'version'>) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

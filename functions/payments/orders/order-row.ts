import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import type { Item, Key } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import { type Order, type OrderContent, type OrderPayment, orderSources } from './order.ts';

/** The rows of orders in the table. Their places in lists, references and acquirer's numbers have rows of their own. */

/** The ends of a card as keys have them. */
export const cardEndsOf = ({ first6, last4 }: { first6: string; last4: string }): string => `${first6}-${last4}`;
/** The ends of an order's card. */
export const endsOfOrder = ({ card_firstsix, card_lastfour }: OrderContent): string =>
  `${card_firstsix}-${card_lastfour}`;

/** When a row may be removed, in the unit of DynamoDB. */
export const ttlOf = (keptUntil: string): number => Math.ceil(Date.parse(keptUntil) / 1000);

export const orderKey = ({ mid, orderId, content }: Pick<Order, 'mid' | 'orderId' | 'content'>): Key =>
  keys.order(mid, endsOfOrder(content), content.transaction_date, orderId);

/** An order as its row stores it: parts that concurrent writes may change have attributes of their own. */
type RowFields = Omit<Order, 'orderId' | 'payment' | 'disputes'> & {
  id: number;
  payment: Omit<OrderPayment, keyof Charge> | null;
  charge: Charge | null;
  disputes: Record<string, { type: string; at: string }>;
  /** Of a payment that the service took: added when they become known. */
  arn?: string;
  authCode?: string;
};

/** The processor that took the payment of an order, and its name for it. */
type Charge = Pick<OrderPayment, 'processor' | 'reference'>;

/** In the first version some payments had their charge in them, and others none. */
const withCharge: Upgrade = ({ payment, charge, ...before }) => {
  if (!isObject(payment)) return { ...before, payment, charge: null };
  const { processor = null, reference = null, ...sums } = payment;
  return { ...before, payment: sums, charge: charge ?? { processor, reference } };
};

const OrderRow = defineRow<RowFields>({
  entity: 'ORDER',
  attribute: null,
  fields: {
    id: v.number(),
    mid: v.number(),
    rid: v.number(),
    sid: v.number(),
    source: v.picklist(orderSources),
    state: v.picklist(['unpaid', 'paid']),
    content: v.custom(isObject),
    cardDigest: v.nullable(v.string()),
    profile: v.custom(isObject),
    payment: v.nullable(v.custom(isObject)),
    charge: v.nullable(v.object({ processor: v.nullable(v.string()), reference: v.nullable(v.string()) })),
    ownRefunds: v.record(v.string(), v.custom(isObject)),
    disputes: v.record(v.string(), v.object({ type: v.string(), at: v.string() })),
    retainDays: v.number(),
    createdAt: v.string(),
    updatedAt: v.string(),
    keptUntil: v.string(),
    version: v.number(),
    arn: v.optional(v.string()),
    authCode: v.optional(v.string()),
  },
  upgrades: [withCharge],
});

/** `disputes` and `ownRefunds` are maps, so that two alerts or refunds at the same moment do not undo each other. */
export const toOrderItem = (order: Order): Item => {
  const { processor = null, reference = null, ...sums } = order.payment ?? {};
  return {
    ...orderKey(order),
    ...OrderRow.stamp,
    id: order.orderId,
    mid: order.mid,
    rid: order.rid,
    sid: order.sid,
    source: order.source,
    state: order.state,
    content: order.content,
    cardDigest: order.cardDigest,
    profile: order.profile,
    payment: order.payment && sums,
    charge: order.payment && { processor, reference },
    ownRefunds: order.ownRefunds,
    disputes: Object.fromEntries(order.disputes.map(({ alertId, type, at }) => [String(alertId), { type, at }])),
    retainDays: order.retainDays,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    keptUntil: order.keptUntil,
    version: order.version,
    ttl: ttlOf(order.keptUntil),
  };
};

/** Reads an order back; undefined where there is none, or its time is over. `at`: ISO, now. */
export const fromOrderItem = (item: Item | undefined, at: string): Order | undefined => {
  const row = OrderRow.find(item);
  if (row === undefined || row.keptUntil <= at) return undefined;
  const { id: orderId, mid, rid, sid, source, state, cardDigest, profile, ownRefunds, retainDays } = row;
  const { createdAt, updatedAt, keptUntil, version, disputes, content, arn, authCode, payment, charge } = row;
  return {
    orderId,
    mid,
    rid,
    sid,
    source,
    state,
    cardDigest,
    profile,
    ownRefunds,
    retainDays,
    createdAt,
    updatedAt,
    keptUntil,
    version,
    payment: payment && { processor: null, reference: null, ...charge, ...payment },
    content: { ...content, ...(arn !== undefined && { arn }), ...(authCode !== undefined && { auth_code: authCode }) },
    disputes: Object.entries(disputes).map(([alertId, { type, at: since }]) => ({
      alertId: Number(alertId),
      type,
      at: since,
    })),
  };
};

/** The condition that an order is unchanged since it was read. */
export const unchangedOrder = ({ version }: Pick<Order, 'version'>) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

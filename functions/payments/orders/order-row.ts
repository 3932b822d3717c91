import * as v from 'valibot';
import { PlaceShape, ShopProfileShape } from '#accounts/merchants/settings/order-profile-row.ts';
import { isObject } from '#core/kernel/is-object.ts';
import { numbers, optionalTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, type Key, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import { endsOfCharge, type Order, type OrderContent, type OrderDispute, type OrderPayment } from './order.ts';

/** The rows of orders in the table. Their places in lists, references and acquirer's numbers have rows of their own. */

/** The ends of a card as keys have them. */
export const cardEndsOf = ({ first6, last4 }: { first6: string; last4: string }): string => `${first6}-${last4}`;
/** The ends of an order's card. */
export const endsOfOrder = ({ card_firstsix, card_lastfour }: OrderContent): string =>
  `${card_firstsix}-${card_lastfour}`;

/** When a row may be removed, in the unit of DynamoDB. */
export const ttlAt = (keptUntil: string): number => Math.ceil(Date.parse(keptUntil) / 1000);

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
const AddressShape = v.looseObject({ ...PlaceShape.entries, name: v.exactOptional(v.string()) });
const RefundShape = v.looseObject({
  ...texts('amount', 'currency', 'at'),
  reference: v.exactOptional(v.string()),
  charge: v.exactOptional(v.string()),
});
const ChargeShape = v.looseObject({
  amount: v.string(),
  ...optionalTexts('at', 'reference', 'card_firstsix', 'card_lastfour', 'card_type', 'arn', 'auth_code'),
});
const ContentShape = v.looseObject({
  ...optionalTexts('amount_subtotal', 'amount_shipping', 'amount_tax', 'amount_coupon', 'card_token', 'arn'),
  ...optionalTexts('auth_code', 'network_transaction_id', 'descriptor', 'caid'),
  ...texts('transaction_date', 'reference', 'order_date', 'amount', 'currency', 'card_firstsix', 'card_lastfour'),
  ...texts('card_type'),
  customer: v.exactOptional(
    v.looseObject({
      ...optionalTexts('account_id', 'firstname', 'lastname', 'email', 'phone', 'account_created_at'),
      ...optionalTexts('last_login_at', 'authentication'),
    }),
  ),
  device: v.exactOptional(v.looseObject(optionalTexts('ip', 'device_id', 'device_fingerprint', 'user_agent', 'type'))),
  billing: v.exactOptional(AddressShape),
  shipping: v.exactOptional(AddressShape),
  deliveries: v.exactOptional(
    v.array(
      v.looseObject({
        type: v.string(),
        status: v.string(),
        ...optionalTexts('provider', 'tracking_number', 'tracking_url', 'shipped_at', 'delivered_at', 'ip'),
        ...optionalTexts('downloaded_at', 'signed_by'),
      }),
    ),
  ),
  refunds: v.exactOptional(v.array(RefundShape)),
  charges: v.exactOptional(v.array(ChargeShape)),
  subscription: v.exactOptional(
    v.looseObject({
      interval: v.string(),
      ...optionalTexts('next_billing_at', 'trial_ends_at', 'cancelled_at', 'cancel_url'),
      first_order_id: v.exactOptional(v.number()),
    }),
  ),
  processor: v.exactOptional(v.looseObject({ connection: v.string(), reference: v.string() })),
  links: v.exactOptional(
    v.looseObject(optionalTexts('receipt', 'order', 'refund_policy', 'terms', 'cancel', 'contact')),
  ),
  reported: v.exactOptional(v.boolean()),
  items: v.array(
    v.looseObject({
      ...texts('name', 'quantity', 'amount_unit'),
      ...optionalTexts('unit', 'sku', 'description', 'image_url', 'url', 'type'),
    }),
  ),
});

const withCharge: Upgrade = ({ payment, charge, ...before }) => {
  if (!isObject(payment)) return { ...before, payment, charge: null };
  const { processor = null, reference = null, ...sums } = payment;
  return { ...before, payment: sums, charge: charge ?? { processor, reference } };
};

const OrderRow = defineRow<RowFields>({
  entity: 'ORDER',
  attribute: null,
  schema: v.looseObject({
    ...numbers('mid', 'rid', 'sid', 'retainDays', 'version', 'id'),
    ...texts('source', 'state', 'createdAt', 'updatedAt', 'keptUntil'),
    content: ContentShape,
    cardDigest: v.nullable(v.string()),
    profile: ShopProfileShape,
    ownRefunds: v.record(v.string(), RefundShape),
    payment: v.nullable(v.looseObject({ refunded: v.string(), captured: v.string(), voided: v.boolean() })),
    charge: v.nullable(v.looseObject({ reference: v.nullable(v.string()), processor: v.nullable(v.string()) })),
    disputes: v.record(v.string(), v.looseObject({ type: v.string(), at: v.string() })),
    arn: v.exactOptional(v.string()),
    authCode: v.exactOptional(v.string()),
  }),
  upgrades: [withCharge],
});

/** The name of a dispute in an order's row: the number of the alert, or the id of the chargeback. */
export const disputeKey = ({ alertId, chargebackId }: OrderDispute): string => chargebackId ?? String(alertId);
const isAlertKey = (key: string): boolean => /^\d+$/.test(key);
/** The release before marks of chargebacks reads them as the alert `NaN`, and may write that back; it names no dispute. */
const namesDispute = ([key]: readonly [string, unknown]): boolean => key !== 'NaN';

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
    disputes: Object.fromEntries(order.disputes.map((one) => [disputeKey(one), { type: one.type, at: one.at }])),
    retainDays: order.retainDays,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    keptUntil: order.keptUntil,
    version: order.version,
    ttl: ttlAt(order.keptUntil),
  };
};

/** Reads an order back; undefined where there is none, or its time is over. `at`: ISO, now. */
export const fromOrderItem = (item: Item | undefined, at: string): Order | undefined => {
  if (item?.['entity'] === otherCardEntity) return undefined;
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
    disputes: Object.entries(disputes)
      .filter(namesDispute)
      .map(([key, { type, at: since }]) => ({
        ...(isAlertKey(key) ? { alertId: Number(key) } : { alertId: null, chargebackId: key }),
        ...{ type, at: since },
      })),
  };
};

/** The entity of the row by which an order is also found in the partition of another card that paid a part of it. */
const otherCardEntity = 'ORDERCARD';
const OtherCardRow = defineRow<{ id: number; mid: number; ends: string; at: string; keptUntil: string }>({
  entity: otherCardEntity,
  attribute: null,
  schema: v.looseObject({ id: v.number(), mid: v.number(), ends: v.string(), at: v.string(), keptUntil: v.string() }),
});

const otherEndsOf = ({ charges = [], ...content }: OrderContent): string[] => {
  const own = endsOfOrder(content);
  return [...new Set(charges.map((charge) => endsOfCharge(content, charge)))].filter((ends) => ends !== own);
};

const otherCardKey = ({ mid, orderId, content }: Order, ends: string): Key =>
  keys.order(mid, ends, content.transaction_date, orderId);

/** The writes of an order's rows at its other cards, from one state to the next; null: there is none. */
export const otherCardWrites = (before: Order | null, after: Order | null): Write[] => {
  const puts = (after ? otherEndsOf(after.content) : []).flatMap((ends) => {
    const { orderId: id, mid, content, keptUntil } = after as Order;
    const own = { id, mid, ends: endsOfOrder(content), at: content.transaction_date, keptUntil, ttl: ttlAt(keptUntil) };
    return { Put: { Item: { ...otherCardKey(after as Order, ends), ...OtherCardRow.stamp, ...own } } };
  });
  const kept = new Set(puts.map(({ Put: { Item } }) => `${Item.pk} ${Item.sk}`));
  const old = before ? otherEndsOf(before.content).map((ends) => otherCardKey(before, ends)) : [];
  return [...old.filter(({ pk, sk }) => !kept.has(`${pk} ${sk}`)).map((Key) => ({ Delete: { Key } })), ...puts];
};

/** The key of the order that a row of another card names; undefined for other rows. `at`: ISO, now. */
export const orderKeyOfOtherCard = (item: Item, at: string): Key | undefined => {
  if (item['entity'] !== otherCardEntity) return undefined;
  const { id, mid, ends, at: transactionDate, keptUntil } = OtherCardRow.read(item);
  return keptUntil <= at ? undefined : keys.order(mid, ends, transactionDate, id);
};

/** The condition that an order is unchanged since it was read. */
export const unchangedOrder = ({ version }: Pick<Order, 'version'>) => requireVersion(version);

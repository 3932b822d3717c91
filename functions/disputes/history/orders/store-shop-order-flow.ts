import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { completeOrder } from '#payments/orders/change-store.ts';
import { keptUntilOf, refundedMinor } from '#payments/orders/order.ts';
import { createOrder, findReference, getOrder, orderIdOfReference } from '#payments/orders/order-store.ts';
import type { OrderSource, SourceTrouble } from '#payments/orders/source/order-source.ts';
import type { CardLookup } from './order-card-flow.ts';
import { type Fate, refuseOrder, refuseUnread, toFate, wordsFor } from './order-fate.ts';
import {
  changesFromShop,
  type RefundsOfShop,
  type ShopOrder,
  type ShopPort,
  shopOrderContent,
  sumOfRefunds,
} from './shop-order.ts';

/** `until`: the time (ms) after which no further orders are begun. */
export type StoreContext = {
  source: OrderSource;
  profile: OrderProfile;
  shop: ShopPort;
  cards: CardLookup;
  until: number;
};

export type StoreOrder = (order: ShopOrder, context: StoreContext) => Promise<Fate | SourceTrouble>;

export const storeShopOrder: StoreOrder = async (order, context) => {
  if (!order.isPaid || isOver(order, context.profile)) return toFate(order, null);
  const { id, isErased } = await findReference(context.source.sid, order.reference);
  if (isErased) return toFate(order, null);
  return await refusing(order, () =>
    id === undefined ? importOrder(order, context) : completeFromShop(id, order, context),
  );
};

/** Completes a known order whose refunds may be more than is known of it. */
export const recheckOrder: StoreOrder = async (order, context) => {
  if (!order.isPaid || !order.hasRefunds || isOver(order, context.profile)) return toFate(order, null);
  const id = await orderIdOfReference(context.source.sid, order.reference);
  const known = id === undefined ? undefined : await getOrder(id);
  const { currency, minor } = order.total;
  const stated = order.isRefunded ? minor : sumOfRefunds(order.refunds, currency);
  if (!known || (!order.hasUnstated && refundedMinor(known) >= stated)) return toFate(order, null);
  return await refusing(order, () => completeFromShop(known.orderId, order, context));
};

const refusing = async (
  order: ShopOrder,
  store: () => Promise<Fate | SourceTrouble>,
): Promise<Fate | SourceTrouble> => {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuseOrder(order, error.details);
  }
};

/** Checks whether an order is older than the time for which the site's orders are kept. */
const isOver = ({ fields }: ShopOrder, { retainDays }: OrderProfile): boolean => {
  const { transaction_date: at } = fields;
  return typeof at === 'string' && keptUntilOf(at, retainDays) <= nowIso();
};

const importOrder = async (order: ShopOrder, context: StoreContext): Promise<Fate | SourceTrouble> => {
  const { profile, cards } = context;
  const card = await cards.find(order);
  if (card === null) return toFate(order, 'withoutCard');
  if ('trouble' in card) return card;
  const read = await readRefunds(order, context);
  if (!('refunds' in read)) return read;
  const content = shopOrderContent(order, card, { refunds: read.refunds, now: nowIso() });
  if (typeof content === 'string') return refuseOrder(order, content);
  await createOrder(profile, content);
  return toFate(order, 'imported', read.contradiction);
};

/** The number of times that a page waits where the shop receives too many requests. */
const maxPatience = 3;

const readRefunds = async (
  order: ShopOrder,
  { shop, source: { failures } }: StoreContext,
): Promise<RefundsOfShop | Fate | SourceTrouble> => {
  if (!order.hasRefunds) return { refunds: [] };
  const read = await shop.refunds(order);
  if ('unread' in read) return refuseUnread(order, read.unread);
  if ('trouble' in read) return failures < maxPatience ? read : refuseUnread(order, `refunds: ${read.trouble}`);
  return { ...read, ...(read.contradiction && { contradiction: wordsFor(order, read.contradiction) }) };
};

/** An order that was stored since the last record belongs to a page whose record was lost, or to another run: it is counted here. */
const completeFromShop = async (id: number, order: ShopOrder, context: StoreContext): Promise<Fate | SourceTrouble> => {
  const read = await readRefunds(order, context);
  if (!('refunds' in read)) return read;
  let counted: Fate['counted'] = null;
  await completeOrder(id, (stored) => {
    const changes = changesFromShop(stored, read.refunds, order);
    const isNew = stored.content.processor !== undefined && stored.createdAt >= context.source.recordedAt;
    counted = isNew ? 'imported' : changes ? 'updated' : null;
    return changes;
  });
  return toFate(order, counted, read.contradiction);
};

import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { fromOrderProfileItem, keepsOrders } from '#accounts/merchants/settings/order-profile-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { connectionAccount } from '#disputes/connections/gateway-registry-client.ts';
import { completeOrder } from '#payments/orders/change-store.ts';
import { keptUntilOf, type OrderRefund } from '#payments/orders/order.ts';
import { createOrder, orderIdOfReference } from '#payments/orders/order-store.ts';
import {
  afterPage,
  afterSourceTrouble,
  noCounts,
  type OrderSource,
  type SourceCounts,
  type SourceTrouble,
  sourceContext,
} from '#payments/orders/source/order-source.ts';
import { orderSourceDue } from '#payments/orders/source/order-source-due.ts';
import { fromOrderSourceItem, orderSourceWrite } from '#payments/orders/source/order-source-row.ts';
import { type CardPlace, findOrderCard, readCardPlaces } from './order-card-flow.ts';
import { changesFromShop, cleanText, type ShopOrder, type ShopPort, shopOrderContent } from './shop-order.ts';
import { shopifyShop } from './shopify-shop-client.ts';
import { wooShop } from './woocommerce-client.ts';

/**
 * Reads a page of a shop's orders, stores them, and then records the position. A page whose record was lost is read again, and known orders
 * stay as they are. The record's write sends the message of the next run. Only one of two concurrent runs is recorded.
 * `slot`: the run that the message is for, ISO.
 */
export const runOrderSource = async (sid: number, slot: string): Promise<void> => {
  const source = fromOrderSourceItem(await getItem(keys.orderSource(sid)));
  if (source?.nextAt !== slot) return;
  if (slot > nowIso()) {
    await sendOrThrow([orderSourceDue.message({ orderSource: sid, slot }, { at: slot })]);
    return;
  }
  const after = await readOnePage(source);
  await tryTransact({ source: orderSourceWrite(source, after) });
};

const readOnePage = async (source: OrderSource): Promise<OrderSource> => {
  const [profile, shop] = await Promise.all([readOwner(source), loadShop(source)]);
  if ('trouble' in profile) return afterSourceTrouble(source, profile, nowIso());
  if ('trouble' in shop) return afterSourceTrouble(source, shop, nowIso());
  const page = await shop.page(source.position);
  if ('trouble' in page) return afterSourceTrouble(source, page, nowIso());
  const context = { source, profile, shop, places: await readCardPlaces(source) };
  const stored = await storeOrders(page.orders, context);
  if ('trouble' in stored) return afterSourceTrouble(source, stored, nowIso());
  const { counts, refusal } = stored;
  const refused = counts.refused + page.unreadable;
  const words = page.unreadable > 0 ? 'An order has a form that is not known.' : null;
  return afterPage(source, { ...page, counts: { ...counts, refused }, refusal: refusal ?? words }, nowIso());
};

const readOwner = async ({ sid, mid }: OrderSource): Promise<OrderProfile | SourceTrouble> => {
  const [merchant, profile] = await getItems([keys.merchant(mid), keys.orderProfile(sid)]);
  const owner = fromOrderProfileItem(profile);
  const isKept = fromMerchantItem(merchant);
  return owner && isKept && keepsOrders(isKept) ? owner : { trouble: 'The merchant keeps no orders.' };
};

const loadShop = async (source: OrderSource): Promise<ShopPort | SourceTrouble> => {
  try {
    const ring = await keyRing('encryption');
    if (source.kind === 'shopify') return await loadShopifyShop(source, ring);
    const sealed = open(ring, sourceContext(source.sid), source.sealed ?? '');
    return wooShop(source.baseUrl ?? '', JSON.parse(sealed));
  } catch (error) {
    log('error', 'order_source_unusable', { sid: source.sid, error: describeError(error) });
    return { trouble: 'The stored keys cannot be opened. Enter them again.' };
  }
};

const loadShopifyShop = async (
  { mid, sid, connection: id }: OrderSource,
  ring: KeyRing,
): Promise<ShopPort | SourceTrouble> => {
  const connection = connectionsFor(await readConnections(mid), sid).find((one) => one.id === id);
  if (connection?.kind !== 'shopify') return { trouble: 'The connection to Shopify was removed or turned off.' };
  return shopifyShop(connectionAccount(connection, { mid, ring }).open('shopify'), connection.id);
};

type Context = { source: OrderSource; profile: OrderProfile; shop: ShopPort; places: readonly CardPlace[] };

type Stored = { counts: SourceCounts; refusal: string | null };

/** The number of orders that are stored at once. */
const atOnce = 5;

const storeOrders = async (orders: readonly ShopOrder[], context: Context): Promise<Stored | SourceTrouble> => {
  const counts = { ...noCounts };
  let refusal: string | null = null;
  for (let from = 0; from < orders.length; from += atOnce) {
    const fates = await Promise.all(orders.slice(from, from + atOnce).map((order) => storeShopOrder(order, context)));
    for (const fate of fates) {
      if ('trouble' in fate) return fate;
      if (fate.counted !== null) counts[fate.counted] += 1;
      refusal = fate.refusal ?? refusal;
    }
  }
  return { counts, refusal };
};

type Fate = { counted: keyof SourceCounts | null; refusal?: string };

const refuseOrder = ({ reference }: ShopOrder, words: string): Fate => ({
  counted: 'refused',
  refusal: `Order ${cleanText(reference, 65) ?? ''}: ${words}`.slice(0, 500),
});

const storeShopOrder = async (order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  if (!order.isPaid || isOver(order, context.profile)) return { counted: null };
  const known = await orderIdOfReference(context.source.sid, order.reference);
  try {
    return await (known === undefined ? importOrder(order, context) : completeFromShop(known, order, context));
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

/** The number of times that a page waits for a connection which may know the card of an order: about three hours. */
const maxWaits = 10;

const importOrder = async (order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  const { source, profile, places } = context;
  const card = await findOrderCard(order, places);
  if (card && 'trouble' in card && source.failures < maxWaits) return card;
  if (!card || 'trouble' in card) return { counted: 'withoutCard' };
  const refunds = await readRefunds(order, context);
  if ('trouble' in refunds) return refunds;
  const content = shopOrderContent(order, card, { refunds, now: nowIso() });
  if (typeof content === 'string') return refuseOrder(order, content);
  await createOrder(profile, content);
  return { counted: 'imported' };
};

const readRefunds = (order: ShopOrder, { shop }: Context): Promise<readonly OrderRefund[] | SourceTrouble> =>
  order.hasRefunds ? shop.refunds(order) : Promise.resolve([]);

/** An order that was stored since the last record belongs to a page whose record was lost, or to another run: it is counted here. */
const completeFromShop = async (id: number, order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  const refunds = await readRefunds(order, context);
  if ('trouble' in refunds) return refunds;
  let fate: Fate = { counted: null };
  await completeOrder(id, (stored) => {
    const changes = changesFromShop(stored, refunds, order.fields['deliveries']);
    const isNew = stored.content.processor !== undefined && stored.createdAt >= context.source.recordedAt;
    fate = { counted: isNew ? 'imported' : changes ? 'updated' : null };
    return changes;
  });
  return fate;
};

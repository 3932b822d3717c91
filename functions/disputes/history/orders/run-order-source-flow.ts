import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { fromOrderProfileItem, keepsOrders } from '#accounts/merchants/settings/order-profile-row.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { connectionAccount } from '#disputes/connections/connected-processor-registry-client.ts';
import { connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { dueRecheck, dueRetries, recheckAfter, retriesAfter } from '#payments/orders/source/order-retries.ts';
import {
  afterPage,
  afterSourceTrouble,
  maxRetries,
  noCounts,
  type OrderRetry,
  type OrderSource,
  type SourcePosition,
  type SourceTrouble,
  sourceContext,
} from '#payments/orders/source/order-source.ts';
import { orderSourceDue } from '#payments/orders/source/order-source-due.ts';
import { fromOrderSourceItem, orderSourceWrite } from '#payments/orders/source/order-source-row.ts';
import { CardLookup } from './order-card-flow.ts';
import { countFates, type Fate, refuseUnreadable } from './order-fate.ts';
import { nextAfter, type ShopOrder, type ShopPort } from './shop-order.ts';
import { shopifyShop } from './shopify-shop-client.ts';
import { recheckOrder, type StoreContext, type StoreOrder, storeShopOrder } from './store-shop-order-flow.ts';
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
  const until = nowMilliseconds() + longestRun;
  const [profile, shop] = await Promise.all([readOwner(source), loadShop(source)]);
  if ('trouble' in profile) return afterSourceTrouble(source, profile, { at: nowIso() });
  if ('trouble' in shop) return afterSourceTrouble(source, shop, { at: nowIso() });
  const context = { source, profile, shop, cards: await CardLookup.open(source), until };
  const retries = dueRetries(source, nowIso());
  if (retries.length > 0) return await readAgain(retries, context);
  const recheck = dueRecheck(source, nowIso());
  if (!recheck) return await readPage(context);
  return source.recheck.position === null ? await lookAtRefunds(recheck, context) : await lookAgain(recheck, context);
};

const readPage = async (context: StoreContext): Promise<OrderSource> => {
  const { source, shop, cards } = context;
  const page = await shop.page(source.position);
  if ('trouble' in page) return afterSourceTrouble(source, page, { at: nowIso() });
  const stored = await storeOrders(page.orders, context, storeShopOrder);
  if ('trouble' in stored) {
    return afterSourceTrouble(source, stored, { at: nowIso(), silences: cards.silences(false) });
  }
  const { fates, last } = stored;
  const at = last ? { position: positionWithin(source, last, fates.length), isLast: false } : page;
  const read = countFates(last ? fates : [...page.unreadable.map(refuseUnreadable), ...fates], source);
  const isWhollyUnread = !last && !page.isLast && fates.every(({ unread }) => unread);
  if (isWhollyUnread && read.retries.length > maxRetries) {
    const trouble = `More than ${maxRetries} orders cannot be read, and none of the last page. ${read.lastRefusal ?? ''}`;
    return afterSourceTrouble(source, { trouble }, { at: nowIso() });
  }
  const { position, isLast } = at;
  const trouble = cards.trouble ?? unreadTrouble(read);
  return afterPage(source, { ...read, position, isLast, trouble, silences: cards.silences(true) }, nowIso());
};

/** The words for its merchant where orders that cannot be read are no longer all read again. */
const unreadTrouble = ({ retries, lastRefusal }: Pick<OrderSource, 'retries' | 'lastRefusal'>): string | null =>
  retries.length < maxRetries
    ? null
    : `Many orders cannot be read. Only the newest ${maxRetries} of them are read again. ${lastRefusal ?? ''}`;

/** The source after a run that did not read its next page. That page is read at once. */
const afterSideRun = (source: OrderSource, read: Partial<OrderSource>): OrderSource => {
  const { position, counts: _, leftOut: __, ...rest } = source;
  return afterPage(source, { ...rest, counts: noCounts, leftOut: [], ...read, position, isLast: false }, nowIso());
};

/** Reads orders again that could not be read before. */
const readAgain = async (retries: readonly OrderRetry[], context: StoreContext): Promise<OrderSource> => {
  const { source, shop } = context;
  const found = await shop.again(retries);
  const ids = new Set(retries.map(({ shopId }) => shopId));
  const orders = 'trouble' in found ? [] : found.orders.filter(({ shopId }) => ids.has(shopId));
  const stored = await storeOrders(orders, context, storeShopOrder);
  if ('trouble' in found || 'trouble' in stored) {
    const waiting = retriesAfter(source.retries, retries, { isRead: () => false, now: nowIso() });
    return afterSideRun(source, { retries: waiting });
  }
  const unreadable = found.unreadable.filter(({ shopId }) => ids.has(shopId)).map(refuseUnreadable);
  const fates = [...unreadable, ...stored.fates];
  // The shop no longer has those that it does not list.
  const isGone = ({ shopId }: OrderRetry) => ids.has(shopId) && stored.last === null;
  return afterSideRun(source, countFates(fates, source, isGone));
};

/** Looks at recent orders a second time, whose refunds may have left their time of change as it was. */
const lookAgain = async (position: SourcePosition, context: StoreContext): Promise<OrderSource> => {
  const { source, shop } = context;
  const page = await shop.page(position);
  const stored = 'trouble' in page ? page : await recheckOrders(page.orders, context);
  // A page that cannot be read is the business of the usual runs.
  if ('trouble' in page || 'trouble' in stored)
    return afterSideRun(source, { recheck: recheckAfter(position, nowIso()) });
  const { fates, last } = stored;
  const next = last ? positionWithin({ ...source, position }, last, fates.length) : page.isLast ? null : page.position;
  return afterSideRun(source, { ...countFates(fates, source), recheck: recheckAfter(next, nowIso()) });
};

/** Looks at orders again, except those that wait to be read. */
const recheckOrders = (orders: readonly ShopOrder[], context: StoreContext): Promise<Stored | SourceTrouble> => {
  const waiting = new Set(context.source.retries.map(({ shopId }) => shopId));
  return storeOrders(
    orders.filter(({ shopId }) => !waiting.has(shopId)),
    context,
    recheckOrder,
  );
};

/**
 * Begins a second look with the shop's own list of refunds, which its list of orders may withhold. A shop without one, or whose answer cannot be
 * read, gets the rest of the look.
 */
const lookAtRefunds = async (position: SourcePosition, context: StoreContext): Promise<OrderSource> => {
  const { source, shop } = context;
  const orders = (await shop.refunded?.(position.after)) ?? [];
  const stored = 'trouble' in orders ? orders : await recheckOrders(orders, context);
  const read = 'trouble' in stored ? {} : countFates(stored.fates, source);
  return afterSideRun(source, { ...read, recheck: recheckAfter(position, nowIso()) });
};

/** The place after the orders of a page that were stored, up to the last of them. */
const positionWithin = ({ kind, position }: OrderSource, last: ShopOrder, stored: number): SourcePosition => {
  const after = nextAfter(position.after, last.modifiedAt, { isLast: false, isExact: false, now: nowIso() });
  if (after !== null) return { after, page: null };
  // WooCommerce's place within a second is a count, and half of what was stored is read again, as orders may move up.
  const page =
    kind === 'woocommerce' ? String(Number(position.page ?? 0) + Math.ceil(stored / 2)) : (last.place ?? position.page);
  return { ...position, page };
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

/** `last`: the last order that was stored, if time ran out before the end of the page; null: all were stored. */
type Stored = { fates: readonly Fate[]; last: ShopOrder | null };

/** The number of orders that are stored at once. */
const atOnce = 5;
/** A run begins no further orders after this time: those may take half a minute, and the function has one minute. */
const longestRun = 20 * milliseconds.second;

/** Stores orders until the time is up, but at least the first of them. */
const storeOrders = async (
  orders: readonly ShopOrder[],
  context: StoreContext,
  store: StoreOrder,
): Promise<Stored | SourceTrouble> => {
  const fates: Fate[] = [];
  for (let from = 0; from < orders.length; from += atOnce) {
    if (from > 0 && nowMilliseconds() > context.until) return { fates, last: orders[from - 1] ?? null };
    const next = await Promise.all(orders.slice(from, from + atOnce).map((order) => store(order, context)));
    for (const fate of next) {
      if ('trouble' in fate) return fate;
      fates.push(fate);
    }
  }
  return { fates, last: null };
};

import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { fromOrderProfileItem, keepsOrders } from '#accounts/merchants/settings/order-profile-row.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
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
  type PageRead,
  type SourceCounts,
  type SourceTrouble,
  sourceContext,
} from '#payments/orders/source/order-source.ts';
import { orderSourceDue } from '#payments/orders/source/order-source-due.ts';
import { fromOrderSourceItem, orderSourceWrite } from '#payments/orders/source/order-source-row.ts';
import { CardLookup } from './order-card-flow.ts';
import {
  changesFromShop,
  cleanText,
  nextAfter,
  type ShopOrder,
  type ShopPort,
  shopOrderContent,
} from './shop-order.ts';
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
  const until = nowMilliseconds() + longestRun;
  const [profile, shop] = await Promise.all([readOwner(source), loadShop(source)]);
  if ('trouble' in profile) return afterSourceTrouble(source, profile, { at: nowIso() });
  if ('trouble' in shop) return afterSourceTrouble(source, shop, { at: nowIso() });
  const page = await shop.page(source.position);
  if ('trouble' in page) return afterSourceTrouble(source, page, { at: nowIso() });
  const cards = await CardLookup.open(source);
  const stored = await storeOrders(page.orders, { source, profile, shop, cards }, until);
  if ('trouble' in stored) {
    return afterSourceTrouble(source, stored, { at: nowIso(), silences: cards.silences(false) });
  }
  const { fates, last } = stored;
  const read =
    last === null
      ? { ...page, ...countFates([...page.unreadable.map(refuseUnreadable), ...fates], source) }
      : { ...positionWithin(source, last, fates.length), ...countFates(fates, source) };
  return afterPage(source, { ...read, trouble: cards.trouble, silences: cards.silences(true) }, nowIso());
};

/** The place after the orders of a page that were stored, up to one that changed at `last` (ISO). */
const positionWithin = ({ kind, position }: OrderSource, last: string, stored: number) => {
  const after = nextAfter(position.after, last, { isLast: false, isExact: false, now: nowIso() });
  if (after !== null) return { position: { after, page: null }, isLast: false };
  // WooCommerce's place within a second is a count, and half of what was stored is read again, as orders may move up. Shopify's names a page.
  const page = kind === 'woocommerce' ? String(Number(position.page ?? 0) + Math.ceil(stored / 2)) : position.page;
  return { position: { ...position, page }, isLast: false };
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

type Context = { source: OrderSource; profile: OrderProfile; shop: ShopPort; cards: CardLookup };

/** `counted`: the counter that an order adds to; null: none. */
type Fate = { reference: string; counted: keyof SourceCounts | null; refusal?: string };

/** `last`: the last change (ISO) of the orders that were stored, if time ran out before the end of the page; null: all were stored. */
type Stored = { fates: readonly Fate[]; last: string | null };

/** The number of orders that are stored at once. */
const atOnce = 5;
/** A run begins no further orders after this time: those may take half a minute, and the function has one minute. */
const longestRun = 20 * milliseconds.second;

/** Stores orders until a time (ms), but at least the first of them. */
const storeOrders = async (
  orders: readonly ShopOrder[],
  context: Context,
  until: number,
): Promise<Stored | SourceTrouble> => {
  const fates: Fate[] = [];
  for (let from = 0; from < orders.length; from += atOnce) {
    if (from > 0 && nowMilliseconds() > until) return { fates, last: orders[from - 1]?.modifiedAt ?? null };
    const next = await Promise.all(orders.slice(from, from + atOnce).map((order) => storeShopOrder(order, context)));
    for (const fate of next) {
      if ('trouble' in fate) return fate;
      fates.push(fate);
    }
  }
  return { fates, last: null };
};

/** Counts orders. One that was left out is counted once, although the pages before and after it contain it as well. */
const countFates = (fates: readonly Fate[], source: OrderSource): Pick<PageRead, 'counts' | 'leftOut' | 'refusal'> => {
  const counts = { ...noCounts };
  const leftOut: string[] = [];
  for (const { reference, counted } of fates) {
    const isStored = counted === 'imported' || counted === 'updated';
    const name = shownName(reference);
    if (counted === null || (!isStored && source.leftOut.includes(name))) continue;
    counts[counted] += 1;
    if (!isStored) leftOut.push(name);
  }
  return { counts, leftOut, refusal: fates.findLast(({ refusal }) => refusal !== undefined)?.refusal ?? null };
};

/** The reference of an order without card numbers, which a shop may have in it. */
const shownName = (reference: string): string => cleanText(reference, 65) ?? '';

const refuseOrder = (reference: string, words: string): Fate => ({
  ...{ reference, counted: 'refused' },
  refusal: `Order ${shownName(reference)}: ${words}`.slice(0, 500),
});

const refuseUnreadable = (reference: string): Fate => refuseOrder(reference, 'has a form that is not known.');

const storeShopOrder = async (order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  const { reference } = order;
  if (!order.isPaid || isOver(order, context.profile)) return { reference, counted: null };
  const known = await orderIdOfReference(context.source.sid, reference);
  try {
    return await (known === undefined ? importOrder(order, context) : completeFromShop(known, order, context));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuseOrder(reference, error.details);
  }
};

/** Checks whether an order is older than the time for which the site's orders are kept. */
const isOver = ({ fields }: ShopOrder, { retainDays }: OrderProfile): boolean => {
  const { transaction_date: at } = fields;
  return typeof at === 'string' && keptUntilOf(at, retainDays) <= nowIso();
};

const importOrder = async (order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  const { profile, cards } = context;
  const { reference } = order;
  const card = await cards.find(order);
  if (card === null) return { reference, counted: 'withoutCard' };
  if ('trouble' in card) return card;
  const refunds = await readRefunds(order, context);
  if ('trouble' in refunds) return refunds;
  const content = shopOrderContent(order, card, { refunds, now: nowIso() });
  if (typeof content === 'string') return refuseOrder(reference, content);
  await createOrder(profile, content);
  return { reference, counted: 'imported' };
};

const readRefunds = (order: ShopOrder, { shop }: Context): Promise<readonly OrderRefund[] | SourceTrouble> =>
  order.hasRefunds ? shop.refunds(order) : Promise.resolve([]);

/** An order that was stored since the last record belongs to a page whose record was lost, or to another run: it is counted here. */
const completeFromShop = async (id: number, order: ShopOrder, context: Context): Promise<Fate | SourceTrouble> => {
  const refunds = await readRefunds(order, context);
  if ('trouble' in refunds) return refunds;
  const { reference } = order;
  let fate: Fate = { reference, counted: null };
  await completeOrder(id, (stored) => {
    const changes = changesFromShop(stored, refunds, order.fields['deliveries']);
    const isNew = stored.content.processor !== undefined && stored.createdAt >= context.source.recordedAt;
    fate = { reference, counted: isNew ? 'imported' : changes ? 'updated' : null };
    return changes;
  });
  return fate;
};

import { open } from '#core/kernel/crypto.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { ExtrasOfRule } from '#disputes/alerts/automatic/refund-port.ts';
import type { FindConnected } from '#disputes/connections/connected-processor-flow.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import type { Order } from '#payments/orders/order.ts';
import { sourceContext } from '#payments/orders/source/order-source.ts';
import { fromOrderSourceItem } from '#payments/orders/source/order-source-row.ts';
import { type AskWoo, askWooWith } from '#payments/orders/source/woocommerce-exchange-client.ts';
import { cancelWooSubscriptions, holdWooOrder, type ShopAct } from '#payments/orders/source/woocommerce-shop-client.ts';

/** The order of an alert in its shop: where Forewarn reads orders from, and the connection at which it was charged. */

export const whyNot = (act: { refused: string } | { unknown: string }): string =>
  'refused' in act ? act.refused : act.unknown;

const findOrder = async ({ owner, providerAlert }: Alert): Promise<Order | undefined> => {
  const match = owner ? await findOrderOfAlert(owner.mid, providerAlert) : undefined;
  return match?.found === 'one' ? match.order : undefined;
};

/** The WooCommerce shop of an order's site; undefined: its orders come from no such shop. */
const loadWooShop = async ({ sid }: Order): Promise<AskWoo | undefined> => {
  const source = fromOrderSourceItem(await getItem(keys.orderSource(sid)));
  if (source?.kind !== 'woocommerce' || source.baseUrl === null || source.sealed === null) return undefined;
  const text = open(await keyRing('encryption'), sourceContext(sid), source.sealed);
  return askWooWith(source.baseUrl, JSON.parse(text));
};

const actAtShop = async (
  order: Order | undefined,
  act: (ask: AskWoo, number: string) => Promise<ShopAct>,
): Promise<ShopAct | undefined> => {
  const shop = order && (await loadWooShop(order));
  return shop && order ? act(shop, order.content.reference ?? '') : undefined;
};

/** Ends the subscriptions of an alert's order at its shop; undefined: it has no shop that could. */
export const endAtShop = async (alert: Alert): Promise<ShopAct | undefined> =>
  actAtShop(await findOrder(alert), cancelWooSubscriptions);

/** Holds the order of an alert at its shop, or at the connection that charged it. Returns in words what was done, or why not. */
export const holdOrder = async (
  alert: Alert,
  { place }: ExtrasOfRule,
  findConnected: FindConnected,
): Promise<string> => {
  const { alertId, owner } = alert;
  const order = await findOrder(alert);
  const atShop = await actAtShop(order, holdWooOrder);
  if (atShop) return 'done' in atShop ? atShop.done : `order not held: ${whyNot(atShop)}`;
  const charge = place ?? order?.content.processor;
  if (!charge || !owner) return 'order not held: neither its shop nor its charge is known';
  const connected = await findConnected({ mid: owner.mid, connection: charge.connection });
  if (!connected?.holdOrder) return 'order not held: its shop is not connected';
  const hold = await connected.holdOrder(charge.reference, alertId);
  return 'held' in hold ? hold.held : `order not held: ${whyNot(hold)}`;
};

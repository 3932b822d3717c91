import * as v from 'valibot';
import { parseJson } from '#core/platform/http/json.ts';
import type { GuardedAnswer } from '#core/platform/post/guarded-call-client.ts';
import type { AskWoo } from './woocommerce-exchange-client.ts';

/** The result of a change to an order of a WooCommerce shop, in words for people. `unknown`: the shop could not be asked. */
export type ShopAct = { done: string } | { refused: string } | { unknown: string };

const Order = v.object({
  id: v.number(),
  number: v.union([v.string(), v.pipe(v.number(), v.transform(String))]),
  status: v.string(),
  meta_data: v.nullish(v.array(v.object({ key: v.string(), value: v.unknown() })), []),
});
type Order = v.InferOutput<typeof Order>;
const Subscriptions = v.array(v.object({ id: v.number(), status: v.string() }));

const fields = { _fields: 'id,number,status,meta_data' };

const whyNot = (answer: GuardedAnswer): { refused: string } | { unknown: string } => {
  if ('failure' in answer) return { unknown: `the shop did not answer: ${answer.detail}` };
  if (answer.status === 401 || answer.status === 403)
    return { refused: 'the keys of the shop need read and write access' };
  return answer.status === 404
    ? { refused: 'the shop has no such order' }
    : { unknown: `the shop answered ${answer.status}` };
};

const readWoo = <S extends v.GenericSchema>(answer: GuardedAnswer, schema: S): v.InferOutput<S> | undefined => {
  if (!('status' in answer) || answer.status !== 200) return undefined;
  const { success, output } = v.safeParse(schema, parseJson(answer.text));
  return success ? output : undefined;
};

/** Finds an order by its number, which extensions may let differ from its id. */
const findOrder = async (ask: AskWoo, number: string): Promise<Order | { refused: string } | { unknown: string }> => {
  const byId = /^\d{1,15}$/.test(number) ? await ask(`orders/${number}`, fields) : undefined;
  const own = byId && readWoo(byId, Order);
  if (own?.number === number) return own;
  if (byId && !own && !('status' in byId && byId.status === 404)) return whyNot(byId);
  const answer = await ask('orders', { ...fields, search: number, per_page: '100' });
  const found = readWoo(answer, v.array(Order));
  if (!found) return whyNot(answer);
  return found.find((one) => one.number === number) ?? { refused: 'the shop has no such order' };
};

/** Orders that are not shipped, paid or not: https://woocommerce.com/document/managing-orders/order-statuses/ (2026-11-29) */
const unshipped: readonly string[] = ['pending', 'processing'];

/** Sets an order that is not shipped on hold: https://woocommerce.github.io/woocommerce-rest-api-docs/#update-an-order (2026-11-29). */
export const holdWooOrder = async (ask: AskWoo, number: string): Promise<ShopAct> => {
  const order = await findOrder(ask, number);
  if (!('id' in order)) return order;
  const { id, status } = order;
  if (status === 'on-hold') return { done: `order ${number} is on hold` };
  if (!unshipped.includes(status)) return { refused: `order ${number} is ${status}` };
  const answer = await ask(`orders/${id}`, fields, { status: 'on-hold' });
  const after = readWoo(answer, Order);
  if (!after) return whyNot(answer);
  return after.status === 'on-hold'
    ? { done: `order ${number} is on hold` }
    : { refused: `order ${number} stays ${after.status}` };
};

/** Assumed: a renewal order names its subscription in this field, as WooCommerce Subscriptions stores it. */
const renewalId = ({ meta_data }: Order): number | undefined => {
  const value = meta_data?.find(({ key }) => key === '_subscription_renewal')?.value;
  return typeof value === 'string' || typeof value === 'number' ? Number(value) || undefined : undefined;
};

const ended: readonly string[] = ['cancelled', 'expired', 'trash'];

/**
 * Cancels the subscriptions of an order, with the extension WooCommerce Subscriptions: https://woocommerce.github.io/subscriptions-rest-api-docs/
 * (2026-11-29). `parent`: the order that began them.
 */
export const cancelWooSubscriptions = async (ask: AskWoo, number: string): Promise<ShopAct> => {
  const order = await findOrder(ask, number);
  if (!('id' in order)) return order;
  const renewed = renewalId(order);
  const query = {
    _fields: 'id,status',
    per_page: '100',
    ...(renewed ? { include: String(renewed) } : { parent: String(order.id) }),
  };
  const listed = await ask('subscriptions', query);
  const found = readWoo(listed, Subscriptions);
  if (!found) {
    const isAbsent = 'status' in listed && listed.status === 404;
    return isAbsent ? { refused: 'the shop has no WooCommerce Subscriptions' } : whyNot(listed);
  }
  if (found.length === 0) return { refused: 'the order is of no subscription' };
  for (const { id, status } of found) {
    if (ended.includes(status)) continue;
    const answer = await ask(`subscriptions/${id}`, { _fields: 'id,status' }, { status: 'cancelled' });
    if (!readWoo(answer, v.object({ status: v.literal('cancelled') }))) return whyNot(answer);
  }
  return { done: `subscription ${found.map(({ id }) => id).join(', ')} ended` };
};

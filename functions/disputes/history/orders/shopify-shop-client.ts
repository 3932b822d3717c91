import { nowIso } from '#core/kernel/clock.ts';
import type { SourcePosition, SourceTrouble } from '#payments/orders/source/order-source.ts';
import type { JsonAnswer } from '#payments/processors/ports/json-exchange-client.ts';
import { askShopify, type ShopifyKeys } from '#payments/processors/shopify/shopify-exchange-client.ts';
import { lastChangeOf, nextAfter, readShopOrders, type ShopPort } from './shop-order.ts';
import { soldOrders } from './shopify-document.ts';
import { readSoldOrder, readSoldOrders } from './shopify-order.ts';

/**
 * The number of orders of one page. A query may cost 1000 points: each order with its items, transactions and fulfillments costs some dozens.
 * https://shopify.dev/docs/api/usage/limits
 */
export const shopifyOrdersPerPage = 10;

const shopFault = (answer: JsonAnswer): SourceTrouble => {
  if ('failure' in answer) return { trouble: 'Shopify did not answer.' };
  if (answer.status === 401 || answer.status === 403) {
    return { trouble: 'Shopify refused the connection: its app needs read_orders, and access to customer data.' };
  }
  if (answer.status === 429) return { trouble: 'Shopify receives too many requests (429).' };
  return { trouble: `Shopify answered with status ${answer.status}.` };
};

const otherAnswer: SourceTrouble = { trouble: 'Shopify answered with something else than orders.' };
const endless: SourceTrouble = { trouble: 'Shopify lists its orders without end.' };

const positionAfter = (
  before: SourcePosition,
  last: string,
  { hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null },
): SourcePosition => {
  const after = nextAfter(before.after, last, { isLast: !hasNextPage, isExact: true, now: nowIso() });
  return after === null ? { after: before.after, page: hasNextPage ? endCursor : null } : { after, page: null };
};

/** The orders of a connected shop: https://shopify.dev/docs/api/admin-graphql/latest/queries/orders */
export const shopifyShop = (keys: ShopifyKeys, connection: string): ShopPort => {
  const ask = askShopify(keys);
  const list = async (query: string, first: number, after: string | null) => {
    const answer = await ask(soldOrders, { query, first, after });
    if (!('status' in answer) || answer.status !== 200) return shopFault(answer);
    const found = readSoldOrders(answer.body);
    if (!found) return otherAnswer;
    const read = readShopOrders(found.nodes, (node, index) => {
      const order = readSoldOrder(node, connection);
      return typeof order === 'string' ? order : { ...order, place: found.edges[index]?.cursor };
    });
    return { ...read, pageInfo: found.pageInfo };
  };
  return {
    page: async (position) => {
      const found = await list(`updated_at:>='${position.after}'`, shopifyOrdersPerPage, position.page);
      if ('trouble' in found) return found;
      const { orders, unreadable, pageInfo } = found;
      const last = lastChangeOf(found);
      if (pageInfo.hasNextPage && last === undefined) return otherAnswer;
      const next = positionAfter(
        position,
        last !== undefined && last > position.after ? last : position.after,
        pageInfo,
      );
      const isStuck = next.after === position.after && next.page === position.page;
      if (pageInfo.hasNextPage && isStuck) return endless;
      return { orders, unreadable, position: next, isLast: !pageInfo.hasNextPage };
    },
    again: async (retries) => {
      const ids = retries.flatMap(({ shopId }) => /\/(\d{1,20})$/.exec(shopId)?.[1] ?? []);
      if (ids.length === 0) return { orders: [], unreadable: [] };
      return await list(ids.map((id) => `id:${id}`).join(' OR '), shopifyOrdersPerPage, null);
    },
    refunds: async ({ refunds }) => ({ refunds }),
  };
};

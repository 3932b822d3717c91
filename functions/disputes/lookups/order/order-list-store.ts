import { siteEntity } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { type Page, type PageRequest, readFirst, readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems } from '#core/platform/table/table.ts';
import { alertScope } from '#disputes/alerts/alert-store.ts';
import { type Order, orderMoneyState, orderSources } from '#payments/orders/order.ts';
import { toBuyerFields } from '#payments/orders/order-dto.ts';
import {
  accountScope,
  disputedFacets,
  fromPlaceItem,
  type OrderSummary,
  orderLists,
  placeEntity,
} from '#payments/orders/order-place-row.ts';
import { fromOrderItem } from '#payments/orders/order-row.ts';
import { orderIdOfReference } from '#payments/orders/order-store.ts';
import type { ListOrders } from '../api/list-orders/operation.ts';

/** If a retailer has more sites than this, only the orders of the first ones are listed. */
const maxSites = 50;

type OrderInList = OrderSummary &
  ReturnType<typeof toBuyerFields> & { money_state: ReturnType<typeof orderMoneyState> };

const nothing: Page<OrderInList> = { list: [], totalResult: 0, next_cursor: null };

/** One page of the orders that a caller's filters allow. Throws merchant_not_found, retailer_not_found, site_not_found. */
export const listOrdersFor = async (filters: ListOrders, caller: Caller): Promise<Page<OrderInList>> => {
  const {
    mid,
    rid,
    sid,
    account_id: accountId,
    reference,
    source,
    disputed,
    date_from: from,
    date_to: to,
    ...page
  } = filters;
  const scope = accountId === undefined ? await ownerScope({ mid, rid, sid }, caller) : pickScope(filters, caller);
  if (reference !== undefined) return oneByReference(sid, reference);
  if (!scope) return nothing;
  const facets = facetsFor(source, disputed);
  const read = await readPage<OrderSummary>({ entity: placeEntity, ...scope, facets, from, to, ...page });
  const now = nowIso();
  return { ...read, list: await withStates(read.list.filter(({ kept_until: until }) => until > now)) };
};

/** The orders of rows by their numbers; those that are gone are left out. */
const readOrdersOfRows = async (list: readonly { order_id: number | null }[]): Promise<ReadonlyMap<number, Order>> => {
  const at = nowIso();
  const ids = new Set(list.flatMap(({ order_id: id }) => id ?? []));
  const places = await getItems([...ids].map((id) => keys.orderPlace(id)));
  const items = await getItems(places.flatMap((item) => fromPlaceItem(item, at)?.key ?? []));
  return new Map(items.flatMap((item) => fromOrderItem(item, at) ?? []).map((one) => [one.orderId, one]));
};

/** Adds who bought what, which only the orders' own rows know. */
export const withOrderBuyers = async <Row extends { order_id: number | null }>(
  list: readonly Row[],
): Promise<(Row & ReturnType<typeof toBuyerFields>)[]> => {
  const orders = await readOrdersOfRows(list);
  return list.map((one) => ({ ...one, ...toBuyerFields(orders.get(one.order_id ?? 0)) }));
};

/** Adds who bought what, and what became of the money. */
const withStates = async (list: readonly OrderSummary[]): Promise<OrderInList[]> => {
  const orders = await readOrdersOfRows(list);
  return list.map((one) => {
    const order = orders.get(one.order_id);
    const state = order ? orderMoneyState(order) : one.disputed ? 'disputed' : null;
    return { ...one, ...toBuyerFields(order), money_state: state };
  });
};

type Owners = Pick<ListOrders, 'mid' | 'rid' | 'sid'>;
type Scope = Pick<PageRequest, 'scopeIndex' | 'scope'>;

/** Undefined where there can be nothing. */
const ownerScope = async (owners: Owners, caller: Caller): Promise<Scope | undefined> => {
  const scope = await alertScope(owners, caller);
  if (scope.scope === 'all') throw new Refusal('request_invalid', 'mid: name a merchant, or rid or sid of its own');
  if (owners.rid === undefined || owners.sid !== undefined) return scope;
  const sites = await readFirst<{ sid: number }>({
    entity: siteEntity,
    scopeIndex: 3,
    scope: `R${owners.rid}`,
    order: 'ASC',
    size: maxSites,
  });
  return sites.length === 0 ? undefined : { scopeIndex: orderLists.site, scope: sites.map(({ sid }) => `S${sid}`) };
};

const pickScope = (filters: ListOrders, caller: Caller): Scope => {
  const { mid = caller.mid, rid, sid, account_id: accountId = '', reference } = filters;
  if (mid === undefined || [rid, sid, reference].some((one) => one !== undefined)) {
    throw new Refusal('request_invalid', 'account_id: requires mid, and cannot be combined with rid, sid or reference');
  }
  checkMerchantAccess(mid, caller);
  return { scopeIndex: orderLists.account, scope: accountScope(mid, accountId) };
};

const facetsFor = (sources: ListOrders['source'], disputed: boolean | undefined): string[] | undefined =>
  sources === undefined && disputed === undefined
    ? undefined
    : crossFacets(
        sources ?? orderSources,
        disputed === undefined ? disputedFacets : [disputed ? 'disputed' : 'undisputed'],
      );

const oneByReference = async (sid: number | undefined, reference: string): Promise<Page<OrderInList>> => {
  if (sid === undefined) throw new Refusal('request_invalid', 'reference: requires sid as well');
  const orderId = await orderIdOfReference(sid, reference);
  const item = orderId === undefined ? undefined : await getItem(keys.orderPlace(orderId));
  // Only one writer puts an order's summary into lists, so it has this shape.
  const summary = item?.['summary'] as OrderSummary | undefined;
  return summary === undefined ? nothing : { list: await withStates([summary]), totalResult: 1, next_cursor: null };
};

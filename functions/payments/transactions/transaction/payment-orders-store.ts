import { nowIso } from '#core/kernel/clock.ts';
import { hasPermission } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { getItems } from '#core/platform/table/table.ts';
import type { Order } from '#payments/orders/order.ts';
import { fromOrderItem } from '#payments/orders/order-row.ts';
import { paidOrderKey } from '#payments/orders/payment-order-row.ts';
import type { Transaction } from './transaction.ts';

/** Reads the orders of payments, by txid, as far as they are kept and the caller may read orders. */
export const readOrdersOfPayments = async (
  payments: readonly Transaction[],
  caller: Caller,
): Promise<ReadonlyMap<number, Order>> => {
  if (!hasPermission(caller, 'orders:read')) return new Map();
  const keys = payments.flatMap(({ txid, mid, card, order }) =>
    card && order ? [paidOrderKey({ txid, mid, card, order })] : [],
  );
  const items = keys.length === 0 ? [] : await getItems(keys);
  const at = nowIso();
  return new Map(
    items.flatMap((item) => fromOrderItem(item, at) ?? []).map((order) => [order.orderId, order] as const),
  );
};

import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { type Order, orderMoneyState } from '#payments/orders/order.ts';
import { toOrderDto } from '#payments/orders/order-dto.ts';
import { endsOfOrder } from '#payments/orders/order-row.ts';
import { orderForCaller, readOrdersOfCard } from '#payments/orders/order-store.ts';
import { judgeCe3 } from '../evidence/ce3.ts';
import { toCe3 } from '../evidence/evidence.ts';
import { judgeReady } from '../evidence/readiness.ts';
import { readLookupsOfOrder } from '../lookup/lookup-store.ts';

const newestLookups = 20;
/** An order with more alerts than this is a mistake. */
const maxAlerts = 100;

/** An order with all that is known of it, on the wire. Throws order_not_found. */
export const orderDetailsForCaller = async (orderId: number, caller: Caller) => {
  const order = await orderForCaller(orderId, caller);
  const [ce3, lookups, alerts] = await Promise.all([
    ordersBefore(order).then((before) => judgeCe3(order, before)),
    readLookupsOfOrder(orderId, newestLookups),
    readAlertsOfOrder(order),
  ]);
  return {
    order: toOrderDto(order),
    money_state: orderMoneyState(order),
    payment: order.payment && { txid: orderId, ...order.payment },
    alerts,
    chargebacks: order.disputes.flatMap(({ chargebackId, type, at }) =>
      chargebackId === undefined ? [] : [{ chargeback_id: chargebackId, type, at }],
    ),
    lookups,
    readiness: { ...judgeReady(order), ce3_result: ce3.qualified ? ('qualified' as const) : ce3.reason },
  };
};

/** Returns the earlier orders of its card. */
const ordersBefore = async (order: Order): Promise<readonly Order[]> =>
  (await readOrdersOfCard(order.mid, endsOfOrder(order.content), order.content.transaction_date)).orders;

const readAlertsOfOrder = async ({ disputes }: Order) => {
  const known = disputes
    .flatMap(({ alertId, ...one }) => (alertId === null ? [] : [{ alertId, ...one }]))
    .slice(0, maxAlerts);
  const items = known.length === 0 ? [] : await getItems(known.map(({ alertId }) => keys.alert(alertId)));
  return known.map(({ alertId, type, at }, index) => {
    const item = items[index];
    return { alert_id: alertId, alert_type: type, at, status: item === undefined ? null : fromAlertItem(item).status };
  });
};

/** The proof that an order was the cardholder's own, for a representment. Throws order_not_found. */
export const orderEvidenceForCaller = async (orderId: number, caller: Caller) => {
  const order = await orderForCaller(orderId, caller);
  return { ce3: toCe3(order, await ordersBefore(order)), order: toOrderDto(order) };
};

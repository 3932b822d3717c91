import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, transact, type Write } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import {
  type AlertOrderSearch,
  changedAlertOrderWrite,
  endedAlertOrderWrite,
  fromAlertOrderItem,
} from '#disputes/alerts/alert-order-row.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { fromHoldItem, type Hold } from '#disputes/alerts/hold-row.ts';
import type { Order, OrderDispute } from '#payments/orders/order.ts';
import { toPlaced, toPlaceItem } from '#payments/orders/order-place-row.ts';
import { disputeKey, orderKey } from '#payments/orders/order-row.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { findOrderOfAlert } from '../lookup/alert-order-store.ts';
import { readLookupsOfOrder } from '../lookup/lookup-store.ts';
import { settleLookup } from '../lookup/record-store.ts';

/** By then, merchants who send their orders once a week have sent it. */
const lookedForMilliseconds = 8 * milliseconds.day;

/** A list is read from an index, which follows the table within moments: after this time it has everything written before the mark. */
const listedAfterMilliseconds = 15 * milliseconds.minute;

/**
 * Marks an order, and the look-ups that showed it, as disputed by an alert about it; no longer so if the provider has taken the
 * alert back. Called again it does nothing; killed anywhere, it resumes; if the order or the alert changes meanwhile, it looks
 * again. An order that is not there yet is looked for at each sweep of the following days.
 */
export const settleAlertOrder = (alertId: number): Promise<void> =>
  retryOnConflict(
    async () => {
      const [searchItem, alertItem, holdItem] = await getItems([
        keys.alertOrder(alertId),
        keys.alert(alertId),
        keys.disputeHold(alertId),
      ]);
      const search = fromAlertOrderItem(searchItem);
      if (!search) return;
      if (!alertItem) throw new Error(`Alert ${alertId} that looks for its order is gone`);
      const alert = fromAlertItem(alertItem);
      const order = await findDisputedOrder(search, alert, fromHoldItem(holdItem));
      const left = order ? await settleWith(order, search, alert) : withoutOrder(search, alert);
      if (left) await transact({ search: left });
    },
    { maxAttempts: 12 },
  );

/** Ends the search: the alert was taken back, its order did not come, or the merchant has deleted the order. */
const withoutOrder = (search: AlertOrderSearch, { withdrawnAt }: Alert): Write | undefined => {
  if (search.orderId !== null) return changedAlertOrderWrite(search, search, null);
  const passed = nowMilliseconds() - Date.parse(search.since);
  return withdrawnAt !== null || passed > lookedForMilliseconds ? endedAlertOrderWrite(search) : undefined;
};

/** Returns the order of the payment that the alert holds, if that was taken here; else the order that the alert's numbers name. */
const findDisputedOrder = async (
  search: AlertOrderSearch,
  alert: Alert,
  hold: Hold | undefined,
): Promise<Order | undefined> => {
  const { owner, withdrawnAt, providerAlert } = alert;
  if (search.orderId !== null) return getOrder(search.orderId);
  if (!owner || withdrawnAt !== null) return undefined;
  const held = typeof hold?.txid === 'number' ? await getOrder(hold.txid) : undefined;
  if (held?.mid === owner.mid && held.state === 'paid') return held;
  const match = await findOrderOfAlert(owner.mid, providerAlert);
  return match.found === 'one' ? match.order : undefined;
};

/** Marks the order and its look-ups. Returns the write that is left, which ends the search. */
const settleWith = async (order: Order, search: AlertOrderSearch, alert: Alert): Promise<Write | undefined> => {
  const { orderId } = order;
  const isDisputed = alert.withdrawnAt === null;
  const isMarked = order.disputes.some((dispute) => dispute.alertId === alert.alertId);
  const known = { ...search, orderId, settledAt: search.settledAt ?? nowIso() };
  if (isDisputed !== isMarked || search.orderId === null) {
    const settled = { ...known, settledAt: nowIso() };
    const marks = isDisputed === isMarked ? [] : markWrites(order, toDispute(alert), isDisputed);
    await transact({ search: changedAlertOrderWrite(search, settled, search.since), marks });
    await settleLookups(orderId);
    return undefined;
  }
  await settleLookups(orderId);
  const isListed = nowMilliseconds() - Date.parse(known.settledAt) > listedAfterMilliseconds;
  return isListed ? changedAlertOrderWrite(search, known, null) : undefined;
};

const toDispute = ({ alertId, receivedAt, providerAlert }: Alert): OrderDispute => ({
  ...{ alertId, type: providerAlert.type, at: receivedAt },
});

/** The parts that mark an order as disputed, or as no longer disputed, also in lists. */
export const markWrites = (order: Order, dispute: OrderDispute, isDisputed: boolean): Write[] => {
  const key = disputeKey(dispute);
  const others = order.disputes.filter((one) => disputeKey(one) !== key);
  const disputes = isDisputed ? [...others, dispute] : others;
  return [
    {
      Update: {
        Key: orderKey(order),
        UpdateExpression: isDisputed
          ? 'SET #disputes.#key = :dispute, #version = :next'
          : 'SET #version = :next REMOVE #disputes.#key',
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#disputes': 'disputes', '#key': key, '#version': 'version' },
        ExpressionAttributeValues: {
          ':version': order.version,
          ':next': order.version + 1,
          ...(isDisputed && { ':dispute': { type: dispute.type, at: dispute.at } }),
        },
      },
    },
    { Put: { Item: toPlaceItem(toPlaced({ ...order, disputes })) } },
  ];
};

const atOnce = 10;

/** Updates the look-ups that showed an order. */
export const settleLookups = async (orderId: number): Promise<void> => {
  const lookups = (await readLookupsOfOrder(orderId)).filter(
    ({ outcome }) => outcome === 'open' || outcome === 'disputed',
  );
  for (let from = 0; from < lookups.length; from += atOnce) {
    await Promise.all(lookups.slice(from, from + atOnce).map(({ lookup_id: id }) => settleLookup(id)));
  }
};

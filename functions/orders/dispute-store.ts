import type { Alert } from '../alerts/alert.ts';
import {
  type AlertOrder,
  changedAlertOrderWrite,
  endedAlertOrderWrite,
  fromAlertOrderItem,
} from '../alerts/alert-order-row.ts';
import { fromAlertItem } from '../alerts/alert-row.ts';
import { fromHoldItem, type Hold } from '../alerts/hold-row.ts';
import { milliseconds, nowIso, nowMilliseconds } from '../core/clock.ts';
import { retryOnConflict } from '../core/conflict-store.ts';
import { keys } from '../core/keys.ts';
import { getItems, transact, type Write } from '../core/table.ts';
import { findOrderOfAlert } from './lookup/alert-order-store.ts';
import { readLookupsOfOrder } from './lookup/lookup-store.ts';
import { settleLookup } from './lookup/record-store.ts';
import type { Order } from './order.ts';
import { placedOf, toPlaceItem } from './order-place-row.ts';
import { orderKey } from './order-row.ts';
import { getOrder } from './order-store.ts';

/** Merchants who send their orders once a week have sent it by then. */
const lookedForMilliseconds = 8 * milliseconds.day;

/** A list is read from an index, which follows the table within moments: by then it has what was written before the mark. */
const listedAfterMilliseconds = 15 * milliseconds.minute;

/**
 * Brings an order into line with an alert about it: disputed, unless its provider has taken the alert back; and with it the look-ups
 * that showed it. Called again it does nothing; killed anywhere, it resumes; a change of the order or the alert meanwhile makes
 * it look again. An order that is not there yet is looked for at each sweep of some days.
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
      const order = await orderOf(search, alert, fromHoldItem(holdItem));
      const left = order ? await settleWith(order, search, alert) : withoutOrder(search, alert);
      if (left.length > 0) await transact(left);
    },
    { maxAttempts: 12 },
  );

/** What is over: an alert that was taken back, or whose order did not come; or an order that its merchant has deleted. */
const withoutOrder = (search: AlertOrder, { withdrawnAt }: Alert): Write[] => {
  if (search.orderId !== null) return [changedAlertOrderWrite(search, search, null)];
  const passed = nowMilliseconds() - Date.parse(search.since);
  return withdrawnAt !== null || passed > lookedForMilliseconds ? [endedAlertOrderWrite(search)] : [];
};

/** The payment that the alert holds is its order's, if that is one of ours; else the order that the alert's numbers name. */
const orderOf = async (search: AlertOrder, alert: Alert, hold: Hold | undefined): Promise<Order | undefined> => {
  const { owner, withdrawnAt, providerAlert } = alert;
  if (search.orderId !== null) return getOrder(search.orderId);
  if (!owner || withdrawnAt !== null) return undefined;
  const held = typeof hold?.txid === 'number' ? await getOrder(hold.txid) : undefined;
  if (held?.mid === owner.mid && held.state === 'paid') return held;
  const match = await findOrderOfAlert(owner.mid, providerAlert);
  return match.found === 'one' ? match.order : undefined;
};

/** Marks the order and the look-ups of it. Answers what is still to be written: that nothing more is owed. */
const settleWith = async (order: Order, search: AlertOrder, alert: Alert): Promise<Write[]> => {
  const { orderId } = order;
  const isDisputed = alert.withdrawnAt === null;
  const isMarked = order.disputes.some((dispute) => dispute.alertId === alert.alertId);
  const known = { ...search, orderId, settledAt: search.settledAt ?? nowIso() };
  if (isDisputed !== isMarked || search.orderId === null) {
    const settled = { ...known, settledAt: nowIso() };
    const marks = isDisputed === isMarked ? [] : markWrites(order, alert, isDisputed);
    await transact([changedAlertOrderWrite(search, settled, search.since), ...marks]);
    await settleLookups(orderId);
    return [];
  }
  await settleLookups(orderId);
  const isListed = nowMilliseconds() - Date.parse(known.settledAt) > listedAfterMilliseconds;
  return isListed ? [changedAlertOrderWrite(search, known, null)] : [];
};

/** The parts that mark an order as disputed, or no more so, where lists show it too. */
const markWrites = (order: Order, { alertId, receivedAt, providerAlert }: Alert, isDisputed: boolean): Write[] => {
  const others = order.disputes.filter((dispute) => dispute.alertId !== alertId);
  const dispute = { type: providerAlert.type, at: receivedAt };
  const disputes = isDisputed ? [...others, { alertId, ...dispute }] : others;
  return [
    {
      Update: {
        Key: orderKey(order),
        UpdateExpression: isDisputed
          ? 'SET #disputes.#alert = :dispute, #version = :next'
          : 'SET #version = :next REMOVE #disputes.#alert',
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#disputes': 'disputes', '#alert': String(alertId), '#version': 'version' },
        ExpressionAttributeValues: {
          ...{ ':version': order.version, ':next': order.version + 1 },
          ...(isDisputed && { ':dispute': dispute }),
        },
      },
    },
    { Put: { Item: toPlaceItem(placedOf({ ...order, disputes })) } },
  ];
};

const atOnce = 10;

const settleLookups = async (orderId: number): Promise<void> => {
  const lookups = (await readLookupsOfOrder(orderId)).filter(
    ({ outcome }) => outcome === 'open' || outcome === 'disputed',
  );
  for (let from = 0; from < lookups.length; from += atOnce) {
    await Promise.all(lookups.slice(from, from + atOnce).map(({ lookup_id: id }) => settleLookup(id)));
  }
};

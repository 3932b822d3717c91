import { dueKeys, keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import type { Alert } from './alert.ts';

/** An alert of a merchant that keeps orders: it looks for the one it is about, marks it, and takes the mark back when it is withdrawn. */
export type AlertOrder = {
  alertId: number;
  /** ISO; since when it is looked for. */
  since: string;
  /** Null: not found yet. */
  orderId: number | null;
  /** When the order was marked last, or the mark taken back; ISO. */
  settledAt: string | null;
  version: number;
};

export const alertOrderEntity = 'ALERT_ORDER';

/** `dueAt` (ISO): since when it is owed a look, which every sweep repeats; null: nothing is owed. */
const toItem = (search: AlertOrder, dueAt: string | null): Item => ({
  ...keys.alertOrder(search.alertId),
  entity: alertOrderEntity,
  id: search.alertId,
  ...(dueAt !== null && dueKeys('ALERT_ORDER', dueAt, search.alertId)),
  search,
});

/** Reads it back. The table holds only what toItem wrote. */
export const fromAlertOrderItem = (item: Item | undefined): AlertOrder | undefined =>
  item?.['search'] as AlertOrder | undefined;

/** The part of a transaction by which a new alert owes it that its order is found. Test alerts are about no order. `at`: ISO. */
export const newAlertOrderWrites = ({ alertId, providerAlert }: Alert, keepsOrders: boolean, at: string): Write[] =>
  keepsOrders && !providerAlert.test
    ? [{ Put: { Item: toItem({ alertId, since: at, orderId: null, settledAt: null, version: 1 }, at) } }]
    : [];

const unchanged = ({ version }: AlertOrder) => ({
  ConditionExpression: '#search.#version = :version',
  ExpressionAttributeNames: { '#search': 'search', '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** The part that writes what became of it. Its condition fails if somebody else has written or ended it since. */
export const changedAlertOrderWrite = (before: AlertOrder, after: AlertOrder, dueAt: string | null): Write => ({
  Put: { Item: toItem({ ...after, version: before.version + 1 }, dueAt), ...unchanged(before) },
});

/** The part that ends it, likewise. */
export const endedAlertOrderWrite = (search: AlertOrder): Write => ({
  Delete: { Key: keys.alertOrder(search.alertId), ...unchanged(search) },
});

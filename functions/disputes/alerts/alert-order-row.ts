import * as v from 'valibot';
import { type Item, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Alert } from './alert.ts';
import { alertOrderDue } from './alert-order-due.ts';

/** The search for the order that an alert is about, for merchants that keep orders. The order is marked, and unmarked if the alert is withdrawn. */
export type AlertOrderSearch = {
  alertId: number;
  /** ISO; since when the order is looked for. */
  since: string;
  /** Null: not found yet. */
  orderId: number | null;
  /** When the order was last marked or unmarked; ISO. */
  settledAt: string | null;
  version: number;
};

export const alertOrderEntity = 'ALERT_ORDER';

const AlertOrderRow = defineRow<AlertOrderSearch>({
  entity: alertOrderEntity,
  attribute: 'search',
  schema: v.looseObject({
    alertId: v.number(),
    since: v.string(),
    orderId: v.nullable(v.number()),
    settledAt: v.nullable(v.string()),
    version: v.number(),
  }),
});

/** `dueAt` (ISO): since when the search is due; every sweep retries it. Null: nothing is due. */
const toItem = (search: AlertOrderSearch, dueAt: string | null): Item => ({
  ...keys.alertOrder(search.alertId),
  ...AlertOrderRow.stamp,
  id: search.alertId,
  ...(dueAt !== null && alertOrderDue.keys(dueAt, search.alertId)),
  search,
});

/** Reads it back. */
export const fromAlertOrderItem = AlertOrderRow.find;

/** The part of a transaction that starts the search for a new alert's order. Test alerts are about no order. `at`: ISO. */
export const newAlertOrderWrites = (
  { alertId, providerAlert, withdrawnAt }: Alert,
  keepsOrders: boolean,
  at: string,
): Write[] =>
  keepsOrders && !providerAlert.test && withdrawnAt === null
    ? [{ Put: { Item: toItem({ alertId, since: at, orderId: null, settledAt: null, version: 1 }, at) } }]
    : [];

const ifUnchanged = ({ version }: AlertOrderSearch) => requireVersion(version, 'search');

/** The part that updates the search. Its condition fails if the row has been changed or deleted since. */
export const changedAlertOrderWrite = (
  before: AlertOrderSearch,
  after: AlertOrderSearch,
  dueAt: string | null,
): Write => ({
  Put: { Item: toItem({ ...after, version: before.version + 1 }, dueAt), ...ifUnchanged(before) },
});

/** The part that ends the search, on the same condition. */
export const endedAlertOrderWrite = (search: AlertOrderSearch): Write => ({
  Delete: { Key: keys.alertOrder(search.alertId), ...ifUnchanged(search) },
});

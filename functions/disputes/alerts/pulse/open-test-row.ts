import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { type Alert, isOpen } from '../alert.ts';

/** Test alerts are counted with all others, since earlier releases count them; these entries say which open ones are no work. */

const isOpenTest = ({ providerAlert, status }: Alert): boolean => providerAlert.test && isOpen({ status });

const listScopes = ({ owner }: Alert): string[] =>
  owner ? ['all', `M${owner.mid}`, `R${owner.rid}`, `S${owner.sid}`] : [];

/** Checks whether an alert is an open test alert of a scope. */
export const isOpenTestOf = (alert: Alert, scope: string): boolean =>
  isOpenTest(alert) && listScopes(alert).includes(scope);

/** The entries of a test alert while it is open, which the counter keeps with those of the search. */
export const openTestEntries = (alert: Alert): Item[] =>
  isOpenTest(alert)
    ? listScopes(alert).map((scope) => ({ ...keys.openTest(scope, alert.alertId), id: alert.alertId }))
    : [];

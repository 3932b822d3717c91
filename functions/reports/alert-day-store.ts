import type { Alert } from '../alerts/alert.ts';
import { retryOnConflict } from '../core/conflict-store.ts';
import { keys } from '../core/keys.ts';
import { getItems, type Item, queryItems, transact } from '../core/table.ts';
import { alertDayWrites, figuresOfItem, fromMarkItem } from './alert-day-row.ts';

/** An alert takes a mark and at most two days of its own; a transaction takes a hundred parts. */
const alertsAtOnce = 30;

/** The latest state of each alert of a batch. */
const latestOf = (alerts: readonly Alert[]): Alert[] => {
  const latest = new Map<number, Alert>();
  for (const alert of alerts) {
    const known = latest.get(alert.alertId);
    if (!known || known.version < alert.version) latest.set(alert.alertId, alert);
  }
  return [...latest.values()];
};

/** Counts alerts into the days on which they came in, each as it is now. May be called for an alert any number of times. */
export const countAlertDays = async (alerts: readonly Alert[]): Promise<void> => {
  const owned = latestOf(alerts).filter(({ owner }) => owner !== null);
  for (let from = 0; from < owned.length; from += alertsAtOnce) {
    const some = owned.slice(from, from + alertsAtOnce);
    await retryOnConflict(async () => {
      const marks = await getItems(some.map(({ alertId }) => keys.alertDayMark(alertId)));
      const writes = alertDayWrites(some.map((alert, index) => ({ alert, mark: fromMarkItem(marks[index]) })));
      if (writes.length > 0) await transact(writes);
    });
  }
};

/** The days of a merchant or a site from one to another, both included, in order; days without an alert have no row. */
export const readAlertDays = async (scope: string, from: string, to: string) => {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await queryItems({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': keys.alertDay(scope, from).pk,
        ':from': keys.alertDay(scope, from).sk,
        ':to': keys.alertDay(scope, to).sk,
      },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    items.push(...page.items);
    ExclusiveStartKey = page.lastKey;
  } while (ExclusiveStartKey);
  return items.map(figuresOfItem);
};

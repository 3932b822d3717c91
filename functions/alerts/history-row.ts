import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import type { Alert } from './alert.ts';
import { toAlertItem } from './alert-row.ts';
import type { HistoryEntry } from './history.ts';

/** Each write of an alert makes one entry, under its version. */
const toHistoryItem = ({ alertId, version }: Alert, entry: HistoryEntry): Item => ({
  ...keys.alertHistory(alertId, version),
  entity: 'HISTORY',
  ...entry,
});

/** The part of a transaction that writes an entry about an outcome: it changes the alert itself in nothing. */
export const outcomeHistoryWrite = (
  { alertId, version }: Alert,
  outcome: { number: number; version: number },
  entry: HistoryEntry,
): Write => ({
  Put: { Item: { ...keys.outcomeHistory(alertId, version, outcome), entity: 'HISTORY', ...entry } },
});

/** Reads an entry back. */
export const fromHistoryItem = (item: Item): HistoryEntry => {
  const { at, by, via, change } = item as Item & HistoryEntry;
  return { at, by, via, change };
};

/** Parts of a transaction: a new alert with its first entry. The first part's condition fails if the number is taken. */
export const newAlertWrites = (alert: Alert, entry: HistoryEntry): [Write, Write] => [
  { Put: { Item: toAlertItem(alert), ConditionExpression: 'attribute_not_exists(pk)' } },
  { Put: { Item: toHistoryItem(alert, entry) } },
];

/** Parts of a transaction: a changed alert with its entry. The first one's condition fails if it changed meanwhile. */
export const changedAlertWrites = (alert: Alert, entry: HistoryEntry): [Write, Write] => [
  {
    Put: {
      Item: toAlertItem(alert),
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':seen': alert.version - 1 },
    },
  },
  { Put: { Item: toHistoryItem(alert, entry) } },
];

import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { changedRow, type Item, newRow, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { DecisionShape } from '#disputes/alerts/stored-shapes.ts';
import type { Alert } from '../alert.ts';
import { toAlertItem } from '../alert-row.ts';
import type { HistoryEntry } from './history.ts';

export const historyEntity = 'HISTORY';
const HistoryEntryShape = v.looseObject({
  ...texts('by', 'via', 'at'),
  change: v.looseObject({
    event: v.string(),
    from: v.record(v.string(), v.unknown()),
    to: v.record(v.string(), v.unknown()),
    decisions: v.exactOptional(v.array(DecisionShape)),
  }),
});

const HistoryRow = defineRow<HistoryEntry>({ entity: historyEntity, attribute: null, schema: HistoryEntryShape });

/** The entity of people's notes: entries that belong to no version of the alert. */
export const noteEntity = 'NOTE';
const NoteRow = defineRow<HistoryEntry>({ entity: noteEntity, attribute: null, schema: HistoryEntryShape });

/** Each write of an alert adds one entry, under the alert's version. */
const toHistoryItem = ({ alertId, version }: Alert, entry: HistoryEntry): Item => ({
  ...keys.alertHistory(alertId, version),
  ...HistoryRow.stamp,
  ...entry,
});

/** The part of a transaction that writes an entry about an outcome; the alert itself does not change. */
export const outcomeHistoryWrite = (
  { alertId, version }: Alert,
  outcome: { number: number; version: number },
  entry: HistoryEntry,
): Write => ({
  Put: { Item: { ...keys.outcomeHistory(alertId, version, outcome), ...HistoryRow.stamp, ...entry } },
});

/** Reads an entry back. */
export const fromHistoryItem = (item: Item): HistoryEntry => toEntry(HistoryRow.read(item));
const toEntry = ({ at, by, via, change }: HistoryEntry): HistoryEntry => ({ at, by, via, change });

export const toNoteItem = (alertId: number, id: string, entry: HistoryEntry): Item => ({
  ...keys.alertNote(alertId, id),
  ...NoteRow.stamp,
  ...entry,
});

/** The part of a transaction that records which charge a person decided on; deciding the same again changes nothing. */
export const linkedHistoryWrite = (alertId: number, entry: HistoryEntry): Write => {
  const { txid, connection, reference } = entry.change.to;
  return labelWrite(alertId, `link ${txid ?? `${connection} ${reference}`}`, entry);
};

/** The part of a transaction that records what a person decided about a hold. `holdVersion`: the hold's version before the decision. */
export const holdHistoryWrite = (alertId: number, holdVersion: number, entry: HistoryEntry): Write =>
  labelWrite(alertId, `hold ${holdVersion} ${entry.change.event}`, entry);

const labelWrite = (alertId: number, name: string, entry: HistoryEntry): Write => ({
  Put: { Item: toNoteItem(alertId, sha256(name).slice(0, 32), entry) },
});

export const fromNoteItem = (item: Item): HistoryEntry => toEntry(NoteRow.read(item));

/**
 * Parts of a transaction: a new alert with its first entries, one for each of its versions. The first part's condition fails if the
 * number is taken.
 */
export const newAlertWrites = (
  alert: Alert,
  first: HistoryEntry,
  ...later: readonly HistoryEntry[]
): [Write, Write, ...Write[]] => {
  const entryWrite = (entry: HistoryEntry, version: number): Write => ({
    Put: { Item: toHistoryItem({ ...alert, version }, entry) },
  });
  return [
    newRow(toAlertItem(alert)),
    entryWrite(first, 1),
    ...later.map((entry, index) => entryWrite(entry, index + 2)),
  ];
};

/** A condition check in a transaction: it fails if an alert has changed since it was read. */
export const sameAlertWrite = ({ alertId, version }: Pick<Alert, 'alertId' | 'version'>): Write => ({
  ConditionCheck: { Key: keys.alert(alertId), ...requireVersion(version) },
});

/** The state an alert must be in: awaiting an answer, or not answered at all. */
export type Awaited = 'open' | 'unanswered';

/** A condition check in a transaction: it fails once an alert has its final answer (`open`) or any answer (`unanswered`). */
export const awaitedAlertWrite = (alertId: number, awaited: Awaited): Write => {
  const isUntouched = awaited === 'unanswered';
  return {
    ConditionCheck: {
      Key: keys.alert(alertId),
      ConditionExpression: `#open = :open${isUntouched ? ' AND attribute_type(#alert.#update, :null)' : ''}`,
      ExpressionAttributeNames: { '#open': 'open', ...(isUntouched && { '#alert': 'alert', '#update': 'update' }) },
      ExpressionAttributeValues: { ':open': true, ...(isUntouched && { ':null': 'NULL' }) },
    },
  };
};

/** Parts of a transaction: a changed alert with its entry. The first one's condition fails if it changed meanwhile. */
export const changedAlertWrites = (alert: Alert, entry: HistoryEntry): [Write, Write] => [
  changedRow(toAlertItem(alert), alert.version - 1),
  { Put: { Item: toHistoryItem(alert, entry) } },
];

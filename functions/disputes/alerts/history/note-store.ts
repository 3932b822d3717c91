import { sha256 } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { ConditionFailedError, putItem } from '#core/platform/table/table.ts';
import { visibleAlert } from '../alert-store.ts';
import type { HistoryEntry } from './history.ts';
import { fromNoteItem, toNoteItem } from './history-row.ts';

type Note = {
  alertId: number;
  note: string;
  /** The caller's idempotency key: a note sent twice under the same key is kept once. */
  key: string | undefined;
};

/**
 * Adds a note to an alert's history, without card numbers and secrets. The alert itself does not change, so that a note never
 * conflicts with an answer sent at the same moment. `at`: ISO. Throws alert_not_found also for alerts that the caller may not see
 * or that have no owner yet, idempotency_key_reused.
 */
export const keepNote = async ({ alertId, note, key }: Note, caller: Caller, at: string): Promise<HistoryEntry> => {
  const alert = await visibleAlert(alertId, caller);
  // An operator's note about an unmatched alert would later be read by the merchant who gets it.
  if (!alert.owner) throw new Refusal('alert_not_found', 'alert_id: the alert is not assigned to a site yet.');
  const by = caller.subject;
  const entry: HistoryEntry = {
    at,
    by,
    via: 'dashboard',
    change: { event: 'noted', from: {}, to: { note: redactText(note) } },
  };
  const id = key === undefined ? randomText(32) : sha256(`${by}\n${key}`).slice(0, 32);
  try {
    await putItem(toNoteItem(alertId, id, entry), { ConditionExpression: 'attribute_not_exists(pk)' });
    return entry;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    return earlierOf(error, entry);
  }
};

/** The note that was kept under the same key, if it says the same. */
const earlierOf = (failed: ConditionFailedError, entry: HistoryEntry): HistoryEntry => {
  const before = failed.item && fromNoteItem(failed.item);
  if (before?.change.to['note'] === entry.change.to['note']) return before ?? entry;
  throw new Refusal('idempotency_key_reused', 'Use a new key for a new note.');
};

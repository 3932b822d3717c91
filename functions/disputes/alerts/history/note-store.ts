import { listPeople } from '#accounts/auth/users/people-store.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { newTimedId, randomText } from '#core/kernel/ids.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { newRow } from '#core/platform/table/item.ts';
import { type Item, tryTransact, type Write } from '#core/platform/table/table.ts';
import type { Alert, AlertOwner } from '../alert.ts';
import { visibleAlert } from '../alert-store.ts';
import { mentionMail } from '../outbox/people-mail.ts';
import { mentionedIn, mentionsIn, showName } from '../people/colleague.ts';
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
 * conflicts with an answer sent at the same moment. The users of the alert's merchant whom it mentions get one e-mail each; other names
 * change nothing, so that they reveal nothing. `at`: ISO. Throws alert_not_found also for alerts that the caller may not see
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
  const conflict = await tryTransact({
    note: newRow(toNoteItem(alertId, id, entry)),
    mails: await mentionWrites(alert, alert.owner, { note: redactText(note), by, at }),
  });
  return conflict ? priorNote(conflict.itemOf('note'), entry) : entry;
};

type Mentioning = { note: string; by: string; at: string };

/** The e-mail to everyone whom a note mentions, apart from its author. It is written with the note, so that it is sent once. */
const mentionWrites = async (
  alert: Alert,
  { sid, mid }: AlertOwner,
  { note, by, at }: Mentioning,
): Promise<Write[]> => {
  if (mentionsIn(note).length === 0) return [];
  const people = await listPeople(mid);
  const mentioned = mentionedIn(note, people).filter(({ username, email }) => username !== by && email !== '');
  const to = [...new Set(mentioned.map(({ email }) => email))];
  if (to.length === 0) return [];
  const letter = mentionMail(alert, note, showName(by, people));
  const id = mailIdOf(newTimedId());
  return [newMailWrite(createMail({ id, kind: 'alert_mention', sid, mid, to, letter, at }))];
};

/** The note that was kept under the same key, if it says the same. */
const priorNote = (item: Item | undefined, entry: HistoryEntry): HistoryEntry => {
  const before = item && fromNoteItem(item);
  if (before?.change.to['note'] === entry.change.to['note']) return before ?? entry;
  throw new Refusal('idempotency_key_reused', 'Use a new key for a new note.');
};

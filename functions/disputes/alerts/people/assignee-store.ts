import { listPeople } from '#accounts/auth/users/people-store.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact, type Write } from '#core/platform/table/table.ts';
import type { Alert, AlertOwner } from '../alert.ts';
import { visibleAlert } from '../alert-store.ts';
import { entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { assignedMail } from '../outbox/people-mail.ts';
import { getAssignee, withAssignee } from './assignee.ts';
import { type Colleague, colleagueNamed, mayAnswer, showName } from './colleague.ts';

type Assignment = {
  alertId: number;
  /** Null removes the assignment. */
  assignee: string | null;
  /** ISO. */
  at: string;
};

/**
 * Assigns an alert to a user of its merchant, who is notified unless they did it themselves, or to none. Nothing is written if it is so
 * already. Throws alert_not_found, also for alerts that no site has yet, user_not_found, changed_meanwhile.
 */
export const setAssignee = (assignment: Assignment, caller: Caller): Promise<Alert> =>
  retryOnConflict(() => setOnce(assignment, caller), { onExhausted: changedMeanwhile });

const setOnce = async ({ alertId, assignee, at }: Assignment, caller: Caller): Promise<Alert> => {
  const alert = await visibleAlert(alertId, caller);
  if (!alert.owner) throw new Refusal('alert_not_found', 'alert_id: the alert is not assigned to a site yet.');
  const people = assignee === null ? [] : await listPeople(alert.owner.mid);
  const person = assignee === null ? null : assignable(assignee, people);
  const username = person?.username ?? null;
  if (getAssignee(alert) === username) return alert;
  const after = withAssignee(alert, username);
  const by = caller.subject;
  const entry = entryOfChange(alert, after, 'assignee changed', at, { by, via: 'dashboard' });
  const isNotified = person !== null && person.email !== '' && person.username !== by;
  await transact({
    alert: changedAlertWrites(after, entry),
    mail: isNotified ? [mailWrite(alert.owner, person, assignedMail(after, showName(by, people)), at)] : [],
  });
  return after;
};

/** The user with this name who may answer alerts. The refusal is the same for users of other merchants. */
const assignable = (name: string, people: readonly Colleague[]): Colleague => {
  const person = colleagueNamed(name, people);
  if (person && mayAnswer(person)) return person;
  throw new Refusal('user_not_found', 'assignee: you have no such user who may answer alerts.');
};

const mailWrite = ({ sid, mid }: AlertOwner, { email }: Colleague, letter: Letter, at: string): Write => {
  const id = mailIdOf(newTimedId());
  return newMailWrite(createMail({ id, kind: 'alert_assigned', sid, mid, to: [email], letter, at }));
};

import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { defineDue, type Row, type RowChange } from '#core/platform/work/due.ts';
import { deadlinePhases } from './deadline.ts';

/**
 * A request to check an alert's deadline. Only a schedule's message has `phase`. Without it, the alert is new or has changed, or a
 * sweep found it overdue.
 */
export const DeadlineMessage = v.object({ alertId: v.number(), phase: v.optional(v.picklist(deadlinePhases)) });

const timerBody = ({ id }: Row) => ({ alertId: Number(id) });

const readDeadline = (row: Row | undefined) => {
  const alert = row?.['alert'];
  const { deadlineAt = null, deadlinePassed = false } = isObject(alert) ? alert : {};
  return { isOpen: row?.['open'], deadlineAt, deadlinePassed };
};

/** Deadlines are looked after only for alerts that have, or had, one, and only when it changes or the alert opens or closes. */
const messagesForDeadline = ({ before, after }: RowChange) => {
  const [earlier, now] = [readDeadline(before), readDeadline(after)];
  if (now.deadlineAt === null && earlier.deadlineAt === null) return [];
  return before && JSON.stringify(earlier) === JSON.stringify(now) ? [] : [{ body: timerBody(after) }];
};

/** An open alert has a deadline, of which its site must be warned and which may pass. */
export const deadlineDue = defineDue({
  kind: 'DEADLINE',
  queue: 'deadline',
  message: DeadlineMessage,
  swept: timerBody,
  wakes: { ALERT: { messages: messagesForDeadline } },
});

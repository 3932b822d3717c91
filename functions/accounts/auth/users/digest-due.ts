import * as v from 'valibot';
import { defineDue, type Row } from '#core/platform/work/due.ts';

/** Sends this user's digest if it is due, and keeps its schedule. Only a schedule's message has `isFiring`. */
export const DigestMessage = v.object({ digestOf: v.string(), isFiring: v.optional(v.literal(true)) });

const digestBody = ({ id }: Row) => ({ digestOf: String(id) });

/** A user has chosen one e-mail a day: the queue and the worker are those of deadlines, which keep schedules. */
export const digestDue = defineDue({
  kind: 'DIGEST',
  queue: 'deadline',
  message: DigestMessage,
  swept: digestBody,
  // Sweeps look at it from an earlier time, which two times of digests may share.
  wakes: {
    DIGEST: {
      messages: ({ before, after }) => (before?.['nextAt'] === after['nextAt'] ? [] : [{ body: digestBody(after) }]),
    },
  },
});

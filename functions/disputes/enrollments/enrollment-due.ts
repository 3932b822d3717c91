import * as v from 'valibot';
import { defineDue, type Row, whenTimed } from '#core/platform/work/due.ts';

/** See which items of this enrollment request have to move on. */
export const EnrollmentMessage = v.object({ enrollmentId: v.number() });

const enrollBody = ({ id }: Row) => ({ enrollmentId: Number(id) });

/** An enrollment advances by the clock. Steps are shorter than a message can wait. */
export const enrollmentDue = defineDue({
  kind: 'ENROLLMENT',
  queue: 'enrollment',
  message: EnrollmentMessage,
  swept: enrollBody,
  wakes: { ENROLLMENT: whenTimed('nextAt', enrollBody) },
});

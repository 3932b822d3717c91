import * as v from 'valibot';
import { defineDue, type Row, whenDue } from '#core/platform/work/due.ts';

/** See which alerts of the inbox match this request's descriptors, from a position on. */
export const InboxMessage = v.object({ enrollmentId: v.number(), cursor: v.optional(v.string()) });

const inboxBody = ({ id }: Row) => ({ enrollmentId: Number(id) });

/** Longer than intake takes: an alert matched just before the enrollment is in the inbox by then. */
const intakeSeconds = 30;

/** The inbox is searched when a request begins to claim something. */
export const inboxMatchDue = defineDue({
  kind: 'INBOX_MATCH',
  queue: 'inbox',
  message: InboxMessage,
  swept: inboxBody,
  wakes: { INBOX_MATCH: whenDue(inboxBody, { delaySeconds: intakeSeconds }) },
});

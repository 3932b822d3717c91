import { queueHandler } from '#core/platform/work/batch.ts';
import { InboxMessage } from '#disputes/enrollments/inbox/inbox-match-due.ts';
import { matchInbox } from '../../intake/inbox-store.ts';

export const handler = queueHandler(InboxMessage, ({ enrollmentId, cursor }) => matchInbox(enrollmentId, cursor));

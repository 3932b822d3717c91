import { queueHandler } from '#core/platform/work/batch.ts';
import { InboxMessage } from '#core/platform/work/messages.ts';
import { matchInbox } from '../../intake/inbox-store.ts';

export const handler = queueHandler(InboxMessage, ({ enrollmentId, cursor }) => matchInbox(enrollmentId, cursor));

import { queueHandler } from '../../core/batch.ts';
import { InboxMessage } from '../../notifications/messages.ts';
import { matchInbox } from '../intake/inbox-store.ts';

export const handler = queueHandler(InboxMessage, ({ enrollmentId, cursor }) => matchInbox(enrollmentId, cursor));

import { queueHandler } from '#core/platform/work/batch.ts';
import { EnrollmentMessage } from '#core/platform/work/messages.ts';
import { advanceItems } from '../../enrollment-store.ts';

export const handler = queueHandler(EnrollmentMessage, ({ enrollmentId }) => advanceItems(enrollmentId));

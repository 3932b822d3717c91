import { queueHandler } from '#core/platform/work/batch.ts';
import { EnrollmentMessage } from '../../enrollment-due.ts';
import { advanceItems } from '../../enrollment-store.ts';

export const handler = queueHandler(EnrollmentMessage, ({ enrollmentId }) => advanceItems(enrollmentId));

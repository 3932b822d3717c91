import { queueHandler } from '../../core/batch.ts';
import { EnrollmentMessage } from '../../notifications/messages.ts';
import { advanceItems } from '../enrollment-store.ts';

export const handler = queueHandler(EnrollmentMessage, ({ enrollmentId }) => advanceItems(enrollmentId));

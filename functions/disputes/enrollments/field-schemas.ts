import { count } from '#core/kernel/schema/field-words.ts';

export const EnrollmentRequestIdReply = count('The request.');

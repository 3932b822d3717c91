import * as v from 'valibot';

export const EnrollmentRequestIdReply = v.pipe(v.number(), v.description('The request.'));

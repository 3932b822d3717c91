import * as v from 'valibot';
import { Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { SessionAnswer } from '../../schemas.ts';

export const answerFactor = defineOperation({
  ...ofSessions,
  name: 'answer-factor',
  summary: 'Sign in with a code of the second factor',
  description:
    `${fromOwnPages} The code of the user's app, or a recovery code; each works once. Five wrong codes lock the user out, as wrong passwords do. ` +
    'If it completes the setup of an app, the answer has ten recovery codes, shown only this once.',
  path: '/api/v3/session/factor',
  body: v.object({ challenge: Text(40), code: Text(20) }),
  reply: v.object({ ...SessionAnswer.entries, recovery_codes: v.nullable(v.array(v.string())) }),
  errors: ['cross_site', 'session_over', 'second_factor_wrong', 'too_many_attempts'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    partitions: ['USER', 'SIGN_IN', 'SESSION', 'CHALLENGE'],
    secrets: ['jwt', 'encryption'],
  },
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { SessionAnswer } from '../../schemas.ts';

export const answerFactorOperation = defineOperation('auth/answer-factor', {
  ...ofSessions,
  summary: 'Sign in with a code of the second factor',
  description:
    `${fromOwnPages} The code of the user's app, or a recovery code; each works once. Five wrong codes lock the user out, as wrong passwords do. ` +
    'If it completes the setup of an app, the answer has ten recovery codes, shown only this once.',
  path: '/api/v3/session/factor',
  body: v.object({
    challenge: describeField(Text(40), 'Identifies the sign-in that the code completes.'),
    code: describeField(Text(20), 'Six digits of the second factor, or a recovery code.'),
  }),
  reply: v.object({
    ...SessionAnswer.entries,
    recovery_codes: describeField(
      v.nullable(v.array(v.string())),
      'Each signs in once in place of the second factor. Shown once.',
    ),
  }),
  errors: ['cross_site', 'session_over', 'second_factor_wrong', 'too_many_attempts'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['jwt', 'encryption'],
  },
});

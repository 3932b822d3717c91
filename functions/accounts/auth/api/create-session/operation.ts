import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { passwordFields, SessionAnswer } from '../../schemas.ts';

export const createSessionOperation = defineOperation('auth/create-session', {
  ...ofSessions,
  summary: 'Sign in with a browser',
  description:
    `${fromOwnPages} Begins a session of 12 hours, or of 2 hours without use, whose cookie scripts cannot read. If a second factor is needed, the answer is 401 with ` +
    '`code: "second_factor_needed"`, `challenge` and, if there is none yet, `setup: {secret, uri}`: answer with session/factor ' +
    'within 5 minutes. Failures are counted and answered as those of gettoken.',
  path: '/api/v3/session/create',
  body: v.object(passwordFields),
  reply: SessionAnswer,
  errors: ['cross_site', 'credentials_wrong', 'second_factor_needed', 'too_many_attempts'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['jwt', 'encryption'],
  },
  variables: ['SECOND_FACTOR'],
  // Deriving a password's key takes CPU time, which Lambda allots in proportion to memory.
  memoryMegabytes: 1024,
});

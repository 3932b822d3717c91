import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';
import { SessionAnswer } from '../../schemas.ts';

export const refreshSessionOperation = defineOperation('auth/refresh-session', {
  ...ofSessions,
  summary: 'Continue the session of this browser',
  description:
    `${fromOwnPages} Exchanges the cookie for a new one and returns a new token. A cookie that was exchanged before ends the ` +
    'session, since two parties must have it; for ten seconds it is still accepted, as two tabs may send it at the same time.',
  path: '/api/v3/session/refresh',
  body: v.object({}),
  reply: SessionAnswer,
  errors: ['cross_site', 'session_over'],
  grants: {
    table: ['GetItem', 'PutItem', 'ConditionCheckItem', 'DeleteItem'],
    secrets: ['jwt'],
  },
});

import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { fromOwnPages, ofSessions } from '../declarations.ts';
import { SessionAnswer } from '../schemas.ts';

export const refreshSession = defineOperation({
  ...ofSessions,
  name: 'refresh-session',
  summary: 'Go on with the session of this browser',
  description:
    `${fromOwnPages} Exchanges the cookie for another and gives a fresh token. A cookie that was exchanged before ends the ` +
    'session, as then two have it; for ten seconds it is taken, for two tabs may send it at once.',
  path: '/api/v3/session/refresh',
  body: v.object({}),
  reply: SessionAnswer,
  errors: ['cross_site', 'session_over'],
  grants: {
    table: ['GetItem', 'PutItem', 'ConditionCheckItem', 'DeleteItem'],
    partitions: ['USER', 'SESSION'],
    secrets: ['jwt'],
  },
});

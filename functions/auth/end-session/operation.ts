import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Flag, Ok } from '../../core/schema.ts';
import { fromOwnPages, ofSessions } from '../declarations.ts';

export const endSession = defineOperation({
  ...ofSessions,
  name: 'end-session',
  summary: 'Sign out',
  description: `${fromOwnPages} \`everywhere\`: in all browsers of this user; tokens of programs stay valid. Removes the cookie.`,
  path: '/api/v3/session/end',
  body: v.object({ everywhere: v.optional(Flag, false) }),
  reply: Ok,
  errors: ['cross_site'],
  grants: { table: ['GetItem', 'UpdateItem', 'DeleteItem'], partitions: ['USER', 'SESSION'] },
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages, ofSessions } from '../../declarations.ts';

export const endSessionOperation = defineOperation('auth/end-session', {
  ...ofSessions,
  summary: 'Sign out',
  description: `${fromOwnPages} \`everywhere\`: in all browsers of this user; tokens of programs stay valid. Removes the cookie.`,
  path: '/api/v3/session/end',
  body: v.object({
    everywhere: describeField(v.optional(Flag, false), 'Whether all sessions of the user end.'),
  }),
  reply: Ok,
  errors: ['cross_site'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
});

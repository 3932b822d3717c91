import * as v from 'valibot';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UsernameReply } from '../../field-schemas.ts';
import { passwordFields } from '../../schemas.ts';

export const setPasswordOperation = defineOperation('auth/set-password', {
  summary: 'Set a password with a link',
  description:
    'The link works once: within a day if a manager made it, within 30 minutes if the user asked for it. Earlier tokens and sessions end.',
  method: 'POST',
  otherMethods: ['PUT'],
  path: '/api/v3/users/password',
  auth: 'public',
  body: v.object({
    token: v.pipe(
      v.string('must be text'),
      v.regex(/^[\w-]{43}$/, 'must be the token at the end of the link'),
      v.description('From the link.'),
    ),
    password: passwordFields.password,
  }),
  reply: v.object({ ...Ok.entries, username: UsernameReply }),
  errors: ['password_link_not_found'],
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  memoryMegabytes: 1024,
  audit: true,
});

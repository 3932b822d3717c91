import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { passwordFields } from '../../schemas.ts';

export const changeOwnPasswordOperation = defineOperation('auth/change-own-password', {
  summary: 'Change your own password',
  description:
    'All of your tokens and sessions end, also the one of this call. Wrong passwords are counted as those of gettoken.',
  method: 'POST',
  path: '/api/v3/session',
  auth: 'bearer',
  permission: 'person',
  roles: ['analyst', 'developer', 'manager'],
  body: v.object({
    current_password: describeField(passwordFields.password, 'The password that you have now.'),
    password: describeField(passwordFields.password, 'The new password.'),
  }),
  reply: Ok,
  errors: ['too_many_attempts'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem'] },
  // Deriving a password's key takes CPU time, which Lambda allots in proportion to memory.
  memoryMegabytes: 1024,
  audit: true,
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id, Ok } from '#core/kernel/schema/schema.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UsernameReply } from '../../field-schemas.ts';
import { linkFields, RoleField } from '../../users/user-schemas.ts';

export const createPersonOperation = defineOperation('auth/create-user', {
  summary: 'Create a user of a merchant',
  description:
    'They get a link to set their password. A name that a merchant chooses gets the suffix `@m` and the number of the merchant: `ann` becomes ' +
    '`ann@m13`. Only users of the same merchant can have taken it. Administrators can only be created on the command line.',
  method: 'POST',
  path: '/api/v3/users/create',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object({
    username: describeField(Text(100), 'The name with which they sign in, with or without the suffix of the merchant.'),
    name: describeField(Text(100), 'The user’s name.'),
    role: RoleField,
    email: describeField(
      v.optional(v.pipe(AnyText, v.email('must be an e-mail address'), v.maxLength(200, 'is too long'))),
      'The user’s e-mail address.',
    ),
    mid: v.optional(describeField(Id, 'For operators.')),
  }),
  reply: v.object({ ...Ok.entries, username: UsernameReply, ...linkFields }),
  errors: ['merchant_not_found', 'username_taken'],
  grants: { table: ['GetItem', 'PutItem'], mail: true },
  variables: ['MAIL_FROM'],
  diverts: 'secret',
  auditValues: { sent: { role: 'value', email: 'domain' } },
});

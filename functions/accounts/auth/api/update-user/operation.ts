import * as v from 'valibot';
import { Flag, Nested, Ok } from '#core/kernel/schema/schema.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UsernameField } from '../../field-schemas.ts';
import { linkFields, PersonDto, RoleField } from '../../users/user-schemas.ts';

export const updatePersonOperation = defineOperation({
  area: 'auth',
  name: 'update-user',
  summary: 'Change a user of a merchant',
  description:
    'Fields left out stay as they are. A new role ends their sessions; `disabled` ends their sessions and tokens. `password_link: true` creates a ' +
    'link with which they set a new password.',
  method: 'POST',
  path: '/api/v3/users/update',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object({
    username: UsernameField,
    name: v.pipe(v.optional(Text(100)), v.description('The user’s name.')),
    email: v.pipe(
      v.optional(v.pipe(AnyText, v.email('must be an e-mail address'), v.maxLength(200, 'is too long'))),
      v.description('The user’s e-mail address.'),
    ),
    role: v.optional(RoleField),
    disabled: v.pipe(v.optional(Flag), v.description('Whether the user may not sign in.')),
    password_link: v.pipe(
      v.optional(v.literal(true, 'must be true')),
      v.description('Whether to make a link by which the user sets a password.'),
    ),
  }),
  reply: v.object({
    ...Ok.entries,
    user: v.pipe(PersonDto, v.description('Who is signed in.')),
    link: v.pipe(
      v.nullable(Nested(linkFields)),
      v.description('The link with which the user sets a password; shown once.'),
    ),
  }),
  errors: ['user_not_found', 'user_is_caller', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], mail: true },
  variables: ['MAIL_FROM'],
  diverts: 'secret',
});

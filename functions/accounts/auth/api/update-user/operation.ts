import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Nested, Ok } from '#core/kernel/schema/schema.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UsernameField } from '../../field-schemas.ts';
import { linkFields, PersonDto, RoleField } from '../../users/user-schemas.ts';

export const updatePersonOperation = defineOperation('auth/update-user', {
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
    name: describeField(v.optional(Text(100)), 'The user’s name.'),
    email: describeField(
      v.optional(v.pipe(AnyText, v.email('must be an e-mail address'), v.maxLength(200, 'is too long'))),
      'The user’s e-mail address.',
    ),
    role: v.optional(RoleField),
    disabled: describeField(v.optional(Flag), 'Whether the user may not sign in.'),
    password_link: describeField(
      v.optional(v.literal(true, 'must be true')),
      'Whether to make a link by which the user sets a password.',
    ),
  }),
  reply: v.object({
    ...Ok.entries,
    user: describeField(PersonDto, 'Who is signed in.'),
    link: describeField(v.nullable(Nested(linkFields)), 'The link with which the user sets a password; shown once.'),
  }),
  errors: ['user_not_found', 'user_is_caller', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], mail: true },
  variables: ['MAIL_FROM'],
  diverts: 'secret',
  auditValues: { changed: { role: 'value', disabled: 'value', email: 'domain' } },
});

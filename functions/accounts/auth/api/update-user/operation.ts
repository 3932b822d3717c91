import * as v from 'valibot';
import { KeptText } from '#core/kernel/schema/card-free.ts';
import { Flag, Nested, Ok, Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { linkFields, PersonDto, RoleField } from '../../users/user-schemas.ts';

export const updatePerson = defineOperation({
  area: 'auth',
  name: 'update-user',
  summary: 'Change a user of a merchant',
  description:
    'Fields left out stay as they are. A new role ends their sessions; `disabled` ends their sessions and tokens. `password_link: true` creates a ' +
    'link with which they set a new password.',
  method: 'POST',
  path: '/api/v3/users/update',
  auth: 'bearer',
  roles: ['manager'],
  fresh: true,
  body: v.object({
    username: Text(100),
    name: v.optional(KeptText(100)),
    email: v.optional(
      v.pipe(v.string('must be text'), v.email('must be an e-mail address'), v.maxLength(200, 'is too long')),
    ),
    role: v.optional(RoleField),
    disabled: v.optional(Flag),
    password_link: v.optional(v.literal(true, 'must be true')),
  }),
  reply: v.object({ ...Ok.entries, user: PersonDto, link: v.nullable(Nested(linkFields)) }),
  errors: ['user_not_found', 'user_is_caller', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], mail: true },
  variables: ['MAIL_FROM'],
  audit: true,
});

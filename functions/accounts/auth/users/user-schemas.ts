import * as v from 'valibot';
import { roles } from '#core/platform/operation/operation.ts';

/** A user as lists show them. */
export const PersonDto = v.object({
  username: v.string(),
  name: v.string(),
  email: v.string(),
  scope: v.picklist(['admin', 'merchant']),
  mid: v.nullable(v.number()),
  role: v.nullable(v.picklist(roles)),
  disabled: v.boolean(),
  created_at: v.string(),
  second_factor: v.boolean(),
  password_set: v.boolean(),
});

export const RoleField = v.picklist(roles, `must be one of ${roles.join(', ')}`);

/** A link that was made. */
export const linkFields = {
  setup_url: v.pipe(
    v.string(),
    v.description('The link to set their password. It works once, within a day, and is shown only here.'),
  ),
  expires_at: v.string(),
  mailed: v.pipe(v.boolean(), v.description('Whether it was sent to their e-mail address too.')),
};

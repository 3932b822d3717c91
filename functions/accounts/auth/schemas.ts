import * as v from 'valibot';
import { Text } from '#core/kernel/schema/schema.ts';
import { roles } from '#core/platform/operation/operation.ts';

export const passwordFields = {
  username: Text(100),
  password: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(1024, 'must have at most 1024 characters'),
  ),
};

/** Who is signed in, and the token with which the page calls from now on. */
export const SessionAnswer = v.object({
  access_token: v.pipe(v.string(), v.description('Keep it in memory only.')),
  expires_in: v.pipe(v.number(), v.description('In seconds. The cookie is replaced.')),
  fresh_until: v.pipe(v.string(), v.description('Until then the password need not be entered again.')),
  user: v.object({
    username: v.string(),
    scope: v.picklist(['admin', 'merchant']),
    mid: v.nullable(v.number()),
    role: v.pipe(v.nullable(v.picklist(roles)), v.description('Null for an operator, who may do everything.')),
    name: v.string(),
  }),
});

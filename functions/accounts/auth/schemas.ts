import * as v from 'valibot';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { roles } from '#core/platform/operation/operation.ts';
import { UsernameField, UsernameReply } from './field-schemas.ts';

export const passwordFields = {
  username: UsernameField,
  password: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(1024, 'must have at most 1024 characters'),
    allowsCardNumbers('a password is compared with a digest and not stored'),
    v.description('The password.'),
  ),
};

/** The signed-in user, and the token with which the page calls from now on. */
export const SessionAnswer = v.object({
  access_token: v.pipe(v.string(), v.description('Keep it in memory only.')),
  expires_in: v.pipe(v.number(), v.description('In seconds. The cookie is replaced.')),
  fresh_until: v.pipe(v.string(), v.description('Until then the password need not be entered again.')),
  user: v.pipe(
    v.object({
      username: UsernameReply,
      scope: v.pipe(v.picklist(['admin', 'merchant']), v.description('What the token is for.')),
      mid: v.nullable(MerchantIdReply),
      role: v.pipe(v.nullable(v.picklist(roles)), v.description('Null for an operator, who may do everything.')),
      name: v.pipe(v.string(), v.description('The user’s name.')),
    }),
    v.description('Who is signed in.'),
  ),
});

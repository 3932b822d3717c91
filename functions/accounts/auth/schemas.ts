import * as v from 'valibot';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
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
  access_token: text('Keep it in memory only.'),
  expires_in: count('In seconds. The cookie is replaced.'),
  fresh_until: text('Until then the password need not be entered again.'),
  user: describeField(
    v.object({
      username: UsernameReply,
      scope: describeField(v.picklist(['admin', 'merchant']), 'What the token is for.'),
      mid: v.nullable(MerchantIdReply),
      role: describeField(v.nullable(v.picklist(roles)), 'Null for an operator, who may do everything.'),
      name: text('The user’s name.'),
    }),
    'Who is signed in.',
  ),
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fromOwnPages } from '../../declarations.ts';
import { UsernameField } from '../../field-schemas.ts';
import { mailLanguages } from '../../users/forgotten-password.ts';

export const askForPasswordOperation = defineOperation('auth/ask-for-password', {
  summary: 'Ask for a link to set a forgotten password',
  description:
    `${fromOwnPages} The reply is the same whether or not there is such a user. A user with an e-mail address gets a link that works once, within 30 ` +
    'minutes; one who signs in at an identity provider is sent there; programs get nothing. At most 3 calls for a username and 20 from an ' +
    'address in 15 minutes.',
  method: 'PUT',
  otherMethods: ['POST'],
  path: '/api/v3/users/password',
  auth: 'public',
  body: v.object({
    username: UsernameField,
    language: describeField(v.optional(v.picklist(mailLanguages), 'en'), 'The language of the e-mail.'),
  }),
  reply: Ok,
  errors: ['cross_site', 'too_many_attempts'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
});

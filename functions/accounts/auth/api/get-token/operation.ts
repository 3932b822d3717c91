import * as v from 'valibot';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { passwordFields } from '../../schemas.ts';

export const Credentials = v.object({
  ...passwordFields,
  code: v.optional(describeField(Text(20), 'Of the second factor, for a user who has one.')),
});

export const AccessToken = v.object({
  access_token: text('Send it as `Authorization: Bearer`.'),
  token_type: describeField(v.literal('Bearer'), 'Always Bearer.'),
  /** Seconds. */
  expires_in: count('For how many seconds it is valid.'),
});

export const getTokenOperation = defineOperation('auth/get-token', {
  summary: 'Get an access token for a username and password',
  description:
    'The token is a JWT, valid for an hour. A user with a second factor sends its `code`. Where a second factor is required, people without one ' +
    'must set it up in the dashboard first; programs use an API key. Five failures for one username within 15 minutes are answered with 429 and ' +
    '`Retry-After` until the 15 minutes are over.',
  method: 'POST',
  path: '/api/v2/index.php/gettoken',
  auth: 'public',
  body: Credentials,
  reply: AccessToken,
  errors: ['credentials_wrong', 'second_factor_needed', 'second_factor_wrong', 'too_many_attempts'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: ['jwt', 'encryption'],
  },
  variables: ['SECOND_FACTOR'],
  // Deriving a password's key takes CPU time, which Lambda allots in proportion to memory.
  memoryMegabytes: 1024,
});

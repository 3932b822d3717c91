import * as v from 'valibot';
import { Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { passwordFields } from '../../schemas.ts';

export const Credentials = v.object({
  ...passwordFields,
  code: v.optional(v.pipe(Text(20), v.description('Of the second factor, for a user who has one.'))),
});

export const AccessToken = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  /** Seconds. */
  expires_in: v.number(),
});

export const getToken = defineOperation({
  area: 'auth',
  name: 'get-token',
  summary: 'Get an access token for a username and password',
  description:
    'The token is a JWT, valid for an hour. Five failures for one username within 15 minutes are answered with 429 and ' +
    '`Retry-After` until the 15 minutes are over.',
  method: 'POST',
  path: '/api/v2/index.php/gettoken',
  auth: 'public',
  body: Credentials,
  reply: AccessToken,
  errors: ['credentials_wrong', 'second_factor_needed', 'second_factor_wrong', 'too_many_attempts'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    partitions: ['USER', 'SIGN_IN'],
    secrets: ['jwt', 'encryption'],
  },
  // Deriving a password's key takes CPU time, which Lambda allots in proportion to memory.
  memoryMegabytes: 1024,
});

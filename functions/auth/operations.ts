import { defineOperation } from '../core/operation.ts';
import { AccessToken, Credentials } from './schemas.ts';

export const getToken = defineOperation({
  area: 'auth',
  name: 'get-token',
  summary: 'Give an access token for a username and password',
  description:
    'The token is a JWT, valid for an hour. Five failures for one username within 15 minutes are answered with 429 and ' +
    '`Retry-After` until the 15 minutes are over.',
  method: 'POST',
  path: '/api/v2/index.php/gettoken',
  auth: 'public',
  body: Credentials,
  reply: AccessToken,
  errors: ['credentials_wrong', 'too_many_attempts'],
  grants: { table: ['GetItem', 'UpdateItem'], secrets: ['jwt'] },
  // Deriving a password's key takes processor time, and Lambda gives that in proportion to memory.
  memoryMegabytes: 1024,
});

export const authOperations = [getToken] as const;

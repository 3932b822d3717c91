import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofClient } from '../../declarations.ts';
import { ClientToken } from '../../schemas.ts';

export const status3dsOperation = defineOperation('threeds/status', {
  ...ofClient,
  summary: 'Read the state of an authentication',
  description:
    'For the SDK, which asks every three seconds while the payer is at the issuer, and whenever a frame signals.',
  path: '/api/v3/3ds/{id}/status',
  body: v.object({ client_token: ClientToken }),
  errors: ['client_token_wrong', 'page_origin_wrong'],
  grants: { table: ['BatchGetItem', 'GetItem', 'PutItem'], secrets: ['encryption'] },
});

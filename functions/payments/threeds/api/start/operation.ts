import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofClient } from '../../declarations.ts';
import { clientCardFields } from '../../payer/card-schemas.ts';
import { ClientToken } from '../../schemas.ts';

export const start3dsOperation = defineOperation('threeds/start', {
  ...ofClient,
  summary: 'Ask the 3DS server about a card',
  description:
    'For the SDK in the payer’s page. Says whether the issuer’s 3DS method is to run before `authenticate`. Starting again ' +
    'abandons what was under way; five starts and three different cards at most.',
  path: '/api/v3/3ds/{id}/start',
  body: v.object({ client_token: ClientToken, ...clientCardFields }),
  errors: ['client_token_wrong', 'page_origin_wrong', 'too_many_attempts'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem', 'BatchGetItem'], secrets: ['encryption'] },
  memoryMegabytes: 512,
});

import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { cancelReasons } from '../../challenge/challenge.ts';
import { ofClient } from '../../declarations.ts';
import { ClientToken } from '../../schemas.ts';

export const cancel3dsOperation = defineOperation('threeds/cancel', {
  ...ofClient,
  summary: 'End an authentication that the payer does not finish',
  description: 'For the SDK. The issuer is asked once more first, and its result takes precedence.',
  path: '/api/v3/3ds/{id}/cancel',
  body: v.object({
    client_token: ClientToken,
    reason: describeField(v.picklist(cancelReasons, `must be one of ${cancelReasons.join(', ')}`), 'Why.'),
  }),
  errors: ['client_token_wrong', 'page_origin_wrong'],
  grants: { table: ['BatchGetItem', 'GetItem', 'PutItem'], secrets: ['encryption'] },
});

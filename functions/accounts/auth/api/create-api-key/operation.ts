import * as v from 'valibot';
import { text } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ApiKeyDto, NewApiKeyFields } from '../../api-keys/api-key-schemas.ts';

export const createApiKeyOperation = defineOperation('auth/create-api-key', {
  tag: 'api-keys',
  summary: 'Create an API key',
  description:
    'The key is for a program of the merchant, which sends it as `authorization: Bearer fwk_…` in place of a token. `key` is not shown again. ' +
    'A key cannot manage users or keys.',
  method: 'POST',
  path: '/api/v3/api-keys/create',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object(NewApiKeyFields),
  reply: v.object({
    ...Ok.entries,
    ...ApiKeyDto.entries,
    key: text('The key. It is not shown again.'),
  }),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
  diverts: 'secret',
  auditValues: {
    sent: { name: 'value', permissions: 'value', sites: 'value', ip_ranges: 'value', valid_days: 'value' },
  },
});

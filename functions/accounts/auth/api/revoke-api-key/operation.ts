import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ApiKeyDto } from '../../api-keys/api-key-schemas.ts';

export const revokeApiKeyOperation = defineOperation('auth/revoke-api-key', {
  tag: 'api-keys',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently. The gateway caches each check, so the key may work for up to another minute, as tokens do.',
  method: 'POST',
  path: '/api/v3/api-keys/revoke',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object({ id: describeField(Id, 'The key’s number.') }),
  reply: v.object({ ...Ok.entries, ...ApiKeyDto.entries }),
  errors: ['api_key_not_found'],
  grants: { table: ['GetItem', 'PutItem'] },
  audit: true,
});

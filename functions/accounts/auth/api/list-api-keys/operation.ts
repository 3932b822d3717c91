import * as v from 'valibot';
import { MerchantIdField } from '#core/kernel/schema/field-schemas.ts';
import { pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ApiKeyDto } from '../../api-keys/api-key-schemas.ts';

export const listApiKeysOperation = defineOperation('auth/list-api-keys', {
  tag: 'api-keys',
  summary: 'List the API keys of a merchant',
  description:
    'The newest keys come first; expired and revoked keys are included. Operators see all keys unless they name a merchant.',
  method: 'POST',
  path: '/api/v3/api-keys/list',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object({ mid: v.optional(MerchantIdField), ...pageFields }),
  reply: pageReply(ApiKeyDto),
  errors: ['merchant_not_found'],
  grants: { indexes: ['list1', 'list2'] },
});

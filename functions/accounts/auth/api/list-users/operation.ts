import * as v from 'valibot';
import { MerchantIdField } from '#core/kernel/schema/field-schemas.ts';
import { pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ListedPersonDto } from '../../users/user-schemas.ts';

export const listUsersOperation = defineOperation('auth/list-users', {
  summary: 'List the users of a merchant',
  description:
    'Newest first. Operators name the merchant, or see all users. Users who are older than this list appear in it after their next change. ' +
    'Analysts see no e-mail addresses and no second factors.',
  method: 'POST',
  path: '/api/v3/users/list',
  auth: 'bearer',
  permission: 'person',
  body: v.object({ mid: v.optional(MerchantIdField), ...pageFields }),
  reply: pageReply(ListedPersonDto),
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem'], indexes: ['list1', 'list2'] },
});

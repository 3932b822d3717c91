import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Id, pageFields, pageReply } from '../../core/schema.ts';
import { PersonDto } from '../user-schemas.ts';

export const listUsers = defineOperation({
  area: 'auth',
  name: 'list-users',
  summary: 'List the users of a merchant',
  description:
    'Newest first. Operators name the merchant, or see all users. Users of before this list are in it from their next change on.',
  method: 'POST',
  path: '/api/v3/users/list',
  auth: 'bearer',
  body: v.object({ mid: v.optional(Id), ...pageFields }),
  reply: pageReply(PersonDto),
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem'], indexes: ['list1', 'list2'] },
});

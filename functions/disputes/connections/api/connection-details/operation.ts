import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ConnectionDto } from '../../schemas.ts';

export const connectionDetailsOperation = defineOperation({
  area: 'connections',
  name: 'connection-details',
  summary: "Read a merchant's connections to its own processors",
  description: 'In order, with those kept only for refunds. Of credentials, only the account they belong to is shown.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/details',
  auth: 'bearer',
  permission: 'settings:read',
  params: MidPath,
  reply: v.object({
    mid: MerchantIdReply,
    connections: v.pipe(
      v.array(ConnectionDto),
      v.description('The merchant’s processors, in the order in which they are asked.'),
    ),
    retired: v.pipe(v.array(ConnectionDto), v.description('Whether it is kept only for refunds of what it has taken.')),
  }),
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem'] },
});

import { defineOperation } from '#core/platform/operation/operation.ts';
import { FeesDto, SidPath } from '../../schemas.ts';

export const listFees = defineOperation({
  area: 'pricing',
  method: 'POST',
  name: 'list-fees',
  summary: 'Show the processing fees of a payment site',
  description: 'As an administrator set them, with who and when; an empty list where none were set.',
  path: '/api/v3/site/{sid}/fees/list',
  auth: 'bearer',
  params: SidPath,
  reply: FeesDto,
  errors: ['site_not_found'],
  grants: { table: ['BatchGetItem'] },
});

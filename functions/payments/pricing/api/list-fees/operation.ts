import { defineOperation } from '#core/platform/operation/operation.ts';
import { FeesDto, PricedSidPath } from '../../schemas.ts';

export const listFeesOperation = defineOperation('pricing/list-fees', {
  method: 'POST',
  summary: 'Show the processing fees of a payment site',
  description: 'As an administrator set them, with who and when; an empty list where none were set.',
  path: '/api/v3/site/{sid}/fees/list',
  auth: 'bearer',
  permission: 'settings:read',
  siteKeys: 'named',
  params: PricedSidPath,
  reply: FeesDto,
  errors: ['site_not_found'],
  grants: { table: ['BatchGetItem'] },
});

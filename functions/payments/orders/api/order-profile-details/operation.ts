import { SidPath } from '#accounts/merchants/schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ProfileDto } from '../../dto-schemas.ts';

export const orderProfileDetailsOperation = defineOperation('orders/order-profile-details', {
  summary: 'Read how banks show a shop',
  description: 'As it will be stored with the next order.',
  method: 'POST',
  path: '/api/v3/site/{sid}/order-profile/details',
  auth: 'bearer',
  permission: 'settings:read',
  siteKeys: 'named',
  params: SidPath,
  reply: ProfileDto,
  errors: ['site_not_found', 'orders_disabled'],
  grants: { table: ['GetItem', 'BatchGetItem'] },
});

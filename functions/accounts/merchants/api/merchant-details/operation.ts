import * as v from 'valibot';
import { CreatedAtReply, MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { MidPath, NewMerchant } from '../../schemas.ts';

export const MerchantDetails = v.object({ mid: MerchantIdReply, ...NewMerchant.entries, created_at: CreatedAtReply });

export const merchantDetailsOperation = defineOperation('merchants/merchant-details', {
  summary: "Read a merchant's details",
  description: 'What it was created with, its id and when it was created.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/details',
  auth: 'bearer',
  permission: 'settings:read',
  params: MidPath,
  reply: MerchantDetails,
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem'] },
});

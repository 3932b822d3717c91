import * as v from 'valibot';
import { RetailerIdReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { MidPath, NewRetailer } from '../../schemas.ts';

export const RetailerCreated = v.object({ rid: RetailerIdReply });

export const createRetailerOperation = defineOperation('merchants/create-retailer', {
  summary: 'Create a retailer of a merchant',
  description: 'Under a merchant that exists; a site needs a retailer.',
  method: 'POST',
  path: '/api/v3/retailer/mid/{mid}/create',
  auth: 'bearer',
  permission: 'settings',
  roles: ['manager'],
  params: MidPath,
  body: NewRetailer,
  reply: RetailerCreated,
  errors: ['merchant_not_found'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem'] },
  audit: true,
  idempotent: true,
  auditValues: { sent: { name: 'value', currency: 'value', contact_email: 'domain' } },
});

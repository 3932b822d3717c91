import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { NewRetailer } from '../../schemas.ts';

export const RidPath = v.object({ rid: Id });

export const RetailerDetails = v.object({
  rid: v.number(),
  mid: v.number(),
  merchant_name: v.string(),
  ...NewRetailer.entries,
  country: v.optional(v.string()),
  created_at: v.string(),
});

export const retailerDetails = defineOperation({
  area: 'merchants',
  name: 'retailer-details',
  summary: "Read a retailer's details",
  description: 'What it was created with, its ids and when it was created.',
  method: 'POST',
  path: '/api/v3/retailer/{rid}/details',
  auth: 'bearer',
  params: RidPath,
  reply: RetailerDetails,
  errors: ['retailer_not_found'],
  grants: { table: ['GetItem'], partitions: ['RETAILER'] },
});

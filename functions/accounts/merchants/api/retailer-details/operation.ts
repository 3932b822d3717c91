import * as v from 'valibot';
import {
  CreatedAtReply,
  MerchantIdReply,
  MerchantNameReply,
  RetailerIdField,
  RetailerIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { NewRetailer } from '../../schemas.ts';

export const RidPath = v.object({ rid: RetailerIdField });

export const RetailerDetails = v.object({
  rid: RetailerIdReply,
  mid: MerchantIdReply,
  merchant_name: MerchantNameReply,
  ...NewRetailer.entries,
  country: describeField(v.optional(v.string()), 'ISO 3166-1, two letters.'),
  created_at: CreatedAtReply,
});

export const retailerDetailsOperation = defineOperation('merchants/retailer-details', {
  summary: "Read a retailer's details",
  description: 'What it was created with, its ids and when it was created.',
  method: 'POST',
  path: '/api/v3/retailer/{rid}/details',
  auth: 'bearer',
  permission: 'settings:read',
  params: RidPath,
  reply: RetailerDetails,
  errors: ['retailer_not_found'],
  grants: { table: ['GetItem'] },
});

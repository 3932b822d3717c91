import * as v from 'valibot';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { NewMerchant } from '../../schemas.ts';

export const MerchantCreated = v.object({ mid: MerchantIdReply });

export const createMerchantOperation = defineOperation('merchants/create-merchant', {
  summary: 'Create a merchant',
  description: 'Merchants come first: retailers and sites are made under them. For administrators.',
  method: 'POST',
  path: '/api/v3/merchant/create',
  auth: 'admin',
  body: NewMerchant,
  reply: MerchantCreated,
  errors: ['oi_merchant_id_taken'],
  grants: { table: ['BatchGetItem', 'UpdateItem', 'PutItem'] },
  audit: true,
  idempotent: true,
  auditValues: {
    sent: {
      ...{ name: 'value', alerts: 'value', cbm: 'value', payments: 'value', threeDS: 'value' },
      order_insights: 'value',
    },
  },
});

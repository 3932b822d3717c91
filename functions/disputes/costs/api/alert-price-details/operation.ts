import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { DisputeFeesReply, PriceDto } from '../../schemas.ts';

export const alertPriceDetailsOperation = defineOperation('costs/alert-price-details', {
  summary: 'Read what a merchant pays for alerts and chargebacks',
  description:
    'In the order in which the prices were set, with who set them; including those that were replaced since. Then what processors charge for chargebacks.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/alert-prices/details',
  auth: 'bearer',
  permission: 'reports:read',
  params: MidPath,
  reply: v.object({
    mid: MerchantIdReply,
    prices: describeField(v.array(PriceDto), 'All prices, in the order in which they were set.'),
    chargeback_fees: DisputeFeesReply,
  }),
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem', 'GetItem'] },
});

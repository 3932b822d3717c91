import * as v from 'valibot';
import { CreatedAtReply, MerchantIdReply, NameReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag } from '#core/kernel/schema/field-words.ts';
import { WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const ListedMerchant = v.object({
  mid: MerchantIdReply,
  name: NameReply,
  alerts: flag('Whether it receives alerts.'),
  cbm: flag('Whether its chargebacks are read from its processors.'),
  payments: flag('Whether it takes payments.'),
  threeDS: flag('Whether it authenticates payers.'),
  order_insights: flag('Whether banks can look its orders up.'),
  created_at: CreatedAtReply,
});

export const listMerchantsOperation = defineOperation('merchants/list-merchants', {
  summary: 'List merchants',
  description: 'All merchants, the newest first, also those without a site. For administrators.',
  method: 'POST',
  path: '/api/v3/merchant',
  auth: 'admin',
  body: v.object({
    size: describeField(v.optional(WholeNumber(1, 100), 100), 'How many numbers to look up at most.'),
    before: describeField(v.optional(WholeNumber(1, Number.MAX_SAFE_INTEGER)), '`next_before` of the previous page.'),
  }),
  reply: v.object({
    list: describeField(v.array(ListedMerchant), 'One page; it has fewer merchants where numbers were never used.'),
    next_before: describeField(
      v.nullable(v.number()),
      'Send it back as `before` for the next page; null on the last one.',
    ),
  }),
  errors: [],
  grants: { table: ['GetItem', 'BatchGetItem'] },
});

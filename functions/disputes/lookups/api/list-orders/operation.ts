import * as v from 'valibot';
import {
  Flag,
  FormFields,
  FromTime,
  Id,
  OneOrMore,
  pageFields,
  pageReply,
  Text,
  ToTime,
} from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { orderSources } from '#payments/orders/order.ts';

export const OrderSummaryDto = v.object({
  order_id: v.number(),
  sid: v.number(),
  reference: v.string(),
  source: v.picklist(orderSources),
  order_date: v.string(),
  amount: v.string(),
  currency: v.string(),
  card: v.string(),
  card_type: v.string(),
  disputed: v.boolean(),
  created_at: v.string(),
  kept_until: v.string(),
});

/** Which orders to list. `date_from` and `date_to` are about the order's date. */
export const ListOrders = FormFields({
  mid: v.optional(Id),
  rid: v.optional(Id),
  sid: v.optional(Id),
  account_id: v.optional(Text(65)),
  reference: v.optional(Text(65)),
  source: v.optional(OneOrMore(orderSources)),
  disputed: v.optional(Flag),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});
export type ListOrders = v.InferOutput<typeof ListOrders>;

export const listOrders = defineOperation({
  area: 'lookups',
  tag: 'orders',
  name: 'list-orders',
  summary: 'List stored orders',
  description:
    'Newest first. An administrator names a merchant, retailer or site. `account_id` can be combined with `mid` only, and `reference` requires `sid`.',
  method: 'POST',
  path: '/api/v3/orders/list',
  auth: 'bearer',
  body: ListOrders,
  formats: ['json', 'form'],
  reply: pageReply(OrderSummaryDto),
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

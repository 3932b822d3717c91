import * as v from 'valibot';
import {
  AmountReply,
  CardReply,
  CreatedAtReply,
  CurrencyReply,
  DateFromField,
  DateToField,
  MerchantIdField,
  RetailerIdField,
  SiteIdField,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { Flag, FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { buyerFields, OrderIdReply, OrderMoneyStateReply, ReferenceReply } from '#payments/orders/field-schemas.ts';
import { orderSources } from '#payments/orders/order.ts';

export const OrderSummaryDto = v.object({
  order_id: OrderIdReply,
  sid: SiteIdReply,
  reference: ReferenceReply,
  source: describeField(v.picklist(orderSources), 'Where the order came from.'),
  order_date: text('When it was ordered (ISO 8601).'),
  amount: AmountReply,
  currency: CurrencyReply,
  card: CardReply,
  card_type: text('How it is paid: a `paymethod` of the payment options, such as VISA.'),
  disputed: flag('Whether it is disputed: an alert, an inquiry or a chargeback that was not won is about it.'),
  created_at: CreatedAtReply,
  kept_until: text('When it is removed.'),
});

/** Which orders to list. `date_from` and `date_to` are about the order's date. */
export const ListOrders = FormFields({
  mid: v.optional(MerchantIdField),
  rid: v.optional(RetailerIdField),
  sid: v.optional(SiteIdField),
  account_id: describeField(v.optional(Text(65)), 'The customer’s account with you.'),
  reference: describeField(v.optional(Text(65)), 'Your own number of the order; unique at the site.'),
  source: describeField(v.optional(OneOrMore(orderSources)), 'Where the order came from.'),
  disputed: describeField(v.optional(Flag), 'Only orders that are disputed, or only those that are not.'),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});
export type ListOrders = v.InferOutput<typeof ListOrders>;

export const listOrdersOperation = defineOperation('lookups/list-orders', {
  tag: 'orders',
  summary: 'List stored orders',
  description:
    'Newest first. An administrator names a merchant, retailer or site. `account_id` can be combined with `mid` only, and `reference` requires `sid`.',
  method: 'POST',
  path: '/api/v3/orders/list',
  auth: 'bearer',
  permission: 'orders:read',
  tool: { kind: 'read' },
  siteKeys: 'named',
  body: ListOrders,
  formats: ['json', 'form'],
  reply: pageReply(v.object({ ...OrderSummaryDto.entries, ...buyerFields, money_state: OrderMoneyStateReply })),
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

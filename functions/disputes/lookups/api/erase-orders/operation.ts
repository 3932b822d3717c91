import * as v from 'valibot';
import { MerchantIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderStatusReply } from '#payments/orders/field-schemas.ts';
import { Email } from '#payments/orders/schemas.ts';

/**
 * The customer whose orders are deleted. The handler checks that exactly one of the two fields is given; a merchant's user needs no mid.
 */
export const EraseOrders = v.object({
  mid: v.optional(MerchantIdField),
  account_id: describeField(v.optional(Text(65)), 'The customer’s account with you.'),
  email: describeField(v.optional(Email), 'An e-mail address.'),
});

export const OrdersErased = v.object({
  status: OrderStatusReply,
  erased: count('How many are erased.'),
  authentications: count(
    'In how many 3DS authentications under way the payer’s data are erased; those that are done keep none.',
  ),
  more: flag('Whether there are more; call again.'),
});

export const eraseOrdersOperation = defineOperation('lookups/erase-orders', {
  tag: 'orders',
  summary: 'Delete all orders of one customer',
  description:
    'By account or by e-mail address, one of the two; by e-mail address, also the payer’s data in 3DS authentications. At most 500 in a call; `more` says whether to call again. For customers ' +
    'who ask to be forgotten.',
  method: 'POST',
  path: '/api/v3/orders/erase',
  roles: ['manager'],
  auth: 'bearer',
  permission: 'settings:data',
  // Deleted orders cannot be restored.
  diverts: 'data',
  body: EraseOrders,
  reply: OrdersErased,
  errors: ['merchant_not_found', 'changed_meanwhile'],
  grants: {
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    indexes: ['list1', 'list1f', 'list3'],
  },
});

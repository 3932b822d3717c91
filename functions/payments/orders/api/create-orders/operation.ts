import * as v from 'valibot';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { AtMost, allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderIdReply, OrderStatusReply } from '../../field-schemas.ts';

const maxOrders = 100;
const words = `must be a list of 1 to ${maxOrders} orders`;

export const CreateOrders = v.object({
  sid: SiteIdField,
  orders: v.pipe(
    v.array(
      v.pipe(
        v.unknown(),
        AtMost(200_000),
        allowsCardNumbers('each order is checked on its own by the schema of create-order'),
        v.description('An order with the fields of create.'),
      ),
      words,
    ),
    v.minLength(1, words),
    v.maxLength(maxOrders, words),
    v.description('The orders, 100 at most.'),
  ),
});

export const OrdersCreated = v.object({
  status: OrderStatusReply,
  created: count('How many were stored.'),
  unchanged: count('How many were there already, the same.'),
  failed: count('How many were refused.'),
  list: describeField(
    v.array(
      v.object({
        index: count('The place in the batch, from 0.'),
        order_id: v.optional(OrderIdReply),
        error: describeField(
          v.optional(v.string()),
          'The error code of an order that was refused; absent if it was stored.',
        ),
        details: describeField(v.optional(v.string()), 'What to change: each field that is wrong, and why.'),
      }),
    ),
    'What became of each order, in the order in which they were sent.',
  ),
});

export const createOrdersOperation = defineOperation('orders/create-orders', {
  summary: 'Store up to 100 orders',
  description:
    'Each is stored on its own: the answer is 200 even if some failed, and says for each, by its place in the list, what became of it. At most 256 KiB in all. ' +
    'Orders that are stored already count as unchanged.',
  method: 'POST',
  path: '/api/v3/orders/batch',
  idempotent: true,
  roles: ['developer', 'manager'],
  auth: 'bearer',
  permission: 'orders',
  body: CreateOrders,
  reply: OrdersCreated,
  errors: ['site_not_found', 'orders_disabled'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

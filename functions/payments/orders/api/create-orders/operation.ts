import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

const mostOrders = 100;
const words = `must be a list of 1 to ${mostOrders} orders`;

export const CreateOrders = v.object({
  sid: Id,
  orders: v.pipe(
    v.array(v.pipe(v.unknown(), v.description('An order with the fields of create.')), words),
    v.minLength(1, words),
    v.maxLength(mostOrders, words),
  ),
});

export const OrdersCreated = v.object({
  status: v.literal('ok'),
  created: v.number(),
  unchanged: v.number(),
  failed: v.number(),
  list: v.array(
    v.object({
      index: v.number(),
      order_id: v.optional(v.number()),
      error: v.optional(v.string()),
      details: v.optional(v.string()),
    }),
  ),
});

export const createOrders = defineOperation({
  area: 'orders',
  name: 'create-orders',
  summary: 'Store up to 100 orders',
  description:
    'Each is stored on its own: the answer is 200 even if some failed, and says for each, by its place in the list, what became of it. At most 256 KiB in all. ' +
    'Orders that are stored already count as unchanged.',
  method: 'POST',
  path: '/api/v3/orders/batch',
  roles: ['developer', 'manager'],
  auth: 'bearer',
  body: CreateOrders,
  reply: OrdersCreated,
  errors: ['site_not_found', 'orders_disabled'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

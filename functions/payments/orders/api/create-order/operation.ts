import * as v from 'valibot';
import { flag } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderIdReply, OrderStatusReply } from '../../field-schemas.ts';
import { NewOrder } from '../../schemas.ts';

export const OrderCreated = v.object({
  status: OrderStatusReply,
  order_id: OrderIdReply,
  created: flag('Whether it was made just now.'),
});

export const createOrderOperation = defineOperation('orders/create-order', {
  summary: 'Store an order for banks to see',
  description:
    'What a cardholder bought, so that their bank can show it before they dispute it. Sending the same order again returns the same ' +
    '`order_id` with `created: false`. At most 16 KiB; unknown fields are left out.',
  method: 'POST',
  path: '/api/v3/orders/create',
  idempotent: true,
  roles: ['developer', 'manager'],
  auth: 'bearer',
  permission: 'orders',
  siteKeys: 'named',
  body: NewOrder,
  reply: OrderCreated,
  errors: ['site_not_found', 'orders_disabled', 'order_reference_taken'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});

import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderPath } from '../../dto-schemas.ts';
import { OrderIdReply, OrderStatusReply } from '../../field-schemas.ts';
import { OrderChanges } from '../../schemas.ts';

export const OrderChanged = v.object({ status: OrderStatusReply, order_id: OrderIdReply });

export const updateOrderOperation = defineOperation('orders/update-order', {
  summary: 'Change a stored order',
  description:
    'Fields left out stay as they are, null removes a field, lists are replaced whole. Of an order that the service made from a ' +
    'payment, amounts, card, dates and refunds are the payment’s.',
  method: 'POST',
  path: '/api/v3/orders/{id}/update',
  roles: ['developer', 'manager'],
  auth: 'bearer',
  permission: 'orders',
  params: OrderPath,
  body: OrderChanges,
  reply: OrderChanged,
  errors: ['order_not_found', 'order_reference_taken', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
});

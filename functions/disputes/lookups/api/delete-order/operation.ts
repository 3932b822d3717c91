import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderPath } from '#payments/orders/dto-schemas.ts';

export const deleteOrderOperation = defineOperation('lookups/delete-order', {
  tag: 'orders',
  summary: 'Delete a stored order',
  description:
    'The whole order: no bank sees it any more, and what is kept of look-ups loses the card and the reference. Repeating it ' +
    'gives the same answer for 30 days.',
  method: 'POST',
  path: '/api/v3/orders/{id}/delete',
  roles: ['developer', 'manager'],
  auth: 'bearer',
  permission: 'orders',
  params: OrderPath,
  reply: Ok,
  errors: ['order_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], indexes: ['list3'] },
});

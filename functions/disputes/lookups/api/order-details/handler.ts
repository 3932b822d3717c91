import { endpoint } from '#core/platform/http/http.ts';
import { orderDetailsForCaller } from '../../order/order-details-store.ts';
import { orderDetailsOperation } from './operation.ts';

export const handler = endpoint(orderDetailsOperation, ({ params: { id }, caller }) =>
  orderDetailsForCaller(id, caller),
);

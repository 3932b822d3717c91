import { endpoint } from '#core/platform/http/http.ts';
import { listOrdersFor } from '../../order/order-list-store.ts';
import { listOrders } from './operation.ts';

export const handler = endpoint(listOrders, ({ body, caller }) => listOrdersFor(body, caller));

import { endpoint } from '../../core/http.ts';
import { listOrdersFor } from '../list-store.ts';
import { listOrders } from './operation.ts';

export const handler = endpoint(listOrders, ({ body, caller }) => listOrdersFor(body, caller));

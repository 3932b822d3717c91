import { endpoint } from '#core/platform/http/http.ts';
import { listOrdersFor } from '../../order/order-list-store.ts';
import { listOrdersOperation } from './operation.ts';

export const handler = endpoint(listOrdersOperation, ({ body, caller }) => listOrdersFor(body, caller));

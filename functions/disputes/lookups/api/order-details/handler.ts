import { endpoint } from '#core/platform/http/http.ts';
import { detailsForCaller } from '../../order/order-details-store.ts';
import { orderDetails } from './operation.ts';

export const handler = endpoint(orderDetails, ({ params: { id }, caller }) => detailsForCaller(id, caller));

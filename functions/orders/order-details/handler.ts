import { endpoint } from '../../core/http.ts';
import { detailsForCaller } from '../details-store.ts';
import { orderDetails } from './operation.ts';

export const handler = endpoint(orderDetails, ({ params: { id }, caller }) => detailsForCaller(id, caller));

import { endpoint } from '#core/platform/http/http.ts';
import { evidenceForCaller } from '../../order/order-details-store.ts';
import { orderEvidence } from './operation.ts';

export const handler = endpoint(orderEvidence, ({ params: { id }, caller }) => evidenceForCaller(id, caller));

import { endpoint } from '#core/platform/http/http.ts';
import { orderEvidenceForCaller } from '../../order/order-details-store.ts';
import { orderEvidenceOperation } from './operation.ts';

export const handler = endpoint(orderEvidenceOperation, ({ params: { id }, caller }) =>
  orderEvidenceForCaller(id, caller),
);

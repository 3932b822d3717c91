import { endpoint } from '#core/platform/http/http.ts';
import { deliveryDetailsForCaller } from '../../delivery-details-store.ts';
import { notificationDetailsOperation } from './operation.ts';

export const handler = endpoint(notificationDetailsOperation, ({ params, caller }) =>
  deliveryDetailsForCaller(params.id, caller),
);

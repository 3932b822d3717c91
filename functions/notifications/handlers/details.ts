import { endpoint } from '../../core/http.ts';
import { deliveryForCaller } from '../access-store.ts';
import { deliveryDetails } from '../delivery-row.ts';
import { notificationDetails } from '../operations.ts';

export const handler = endpoint(notificationDetails, async ({ params, caller }) =>
  deliveryDetails(await deliveryForCaller(params.id, caller)),
);

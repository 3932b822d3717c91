import { endpoint } from '../../core/http.ts';
import { deliveryDetails } from '../../notifications/delivery-row.ts';
import { deliveryForCaller } from '../access-store.ts';
import { notificationDetails } from './operation.ts';

export const handler = endpoint(notificationDetails, async ({ params, caller }) =>
  deliveryDetails(await deliveryForCaller(params.id, caller)),
);

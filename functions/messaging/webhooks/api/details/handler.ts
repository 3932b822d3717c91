import { endpoint } from '#core/platform/http/http.ts';
import { detailsForCaller } from '../../delivery-details-store.ts';
import { notificationDetails } from './operation.ts';

export const handler = endpoint(notificationDetails, ({ params, caller }) => detailsForCaller(params.id, caller));

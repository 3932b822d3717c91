import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { deliveryForCaller } from '../../delivery-access-store.ts';
import { prepareRequest } from '../../request-store.ts';
import { notificationRequestOperation } from './operation.ts';

export const handler = endpoint(notificationRequestOperation, async ({ params, caller }) =>
  prepareRequest(await deliveryForCaller(params.id, caller), nowIso()),
);

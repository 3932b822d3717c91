import { endpoint } from '#core/platform/http/http.ts';
import { orderSiteForCaller } from '../../order-store.ts';
import { toProfileDto } from '../../profile.ts';
import { orderProfileDetailsOperation } from './operation.ts';

export const handler = endpoint(orderProfileDetailsOperation, async ({ params: { sid }, caller }) =>
  toProfileDto(await orderSiteForCaller(sid, caller)),
);

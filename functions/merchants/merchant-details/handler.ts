import { endpoint } from '../../core/http.ts';
import { merchantDetails as shown } from '../merchant.ts';
import { merchantForCaller } from '../merchant-store.ts';
import { merchantDetails } from './operation.ts';

export const handler = endpoint(merchantDetails, async ({ params: { mid }, caller }) =>
  shown(await merchantForCaller(mid, caller)),
);

import { endpoint } from '../../core/http.ts';
import { retailerDetails as shown } from '../merchant.ts';
import { retailerForCaller } from '../merchant-store.ts';
import { retailerDetails } from './operation.ts';

export const handler = endpoint(retailerDetails, async ({ params: { rid }, caller }) =>
  shown(await retailerForCaller(rid, caller)),
);

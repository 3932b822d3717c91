import { endpoint } from '#core/platform/http/http.ts';
import { retailerDetails as shown } from '../../merchant/merchant.ts';
import { retailerForCaller } from '../../merchant/merchant-store.ts';
import { retailerDetailsOperation } from './operation.ts';

export const handler = endpoint(retailerDetailsOperation, async ({ params: { rid }, caller }) =>
  shown(await retailerForCaller(rid, caller)),
);

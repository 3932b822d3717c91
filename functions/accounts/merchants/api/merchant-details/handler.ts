import { endpoint } from '#core/platform/http/http.ts';
import { merchantDetails as shown } from '../../merchant/merchant.ts';
import { merchantForCaller } from '../../merchant/merchant-store.ts';
import { merchantDetailsOperation } from './operation.ts';

export const handler = endpoint(merchantDetailsOperation, async ({ params: { mid }, caller }) =>
  shown(await merchantForCaller(mid, caller)),
);

import { endpoint } from '#core/platform/http/http.ts';
import { listMerchants } from '../../merchant/merchant-store.ts';
import { listMerchantsOperation } from './operation.ts';

export const handler = endpoint(listMerchantsOperation, async ({ body: { size, before } }) => {
  const { merchants, nextBefore } = await listMerchants(size, before);
  return {
    list: merchants.map(({ mid, name, createdAt, profile }) => ({
      mid,
      name,
      alerts: profile['alerts'] === true,
      cbm: profile['cbm'] === true,
      payments: profile['payments'] === true,
      threeDS: profile['threeDS'] === true,
      order_insights: profile['order_insights'] === true,
      created_at: createdAt,
    })),
    next_before: nextBefore,
  };
});

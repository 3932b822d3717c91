import { endpoint } from '#core/platform/http/http.ts';
import { servicesOf } from '../../merchant/merchant.ts';
import { listMerchants } from '../../merchant/merchant-store.ts';
import { listMerchantsOperation } from './operation.ts';

export const handler = endpoint(listMerchantsOperation, async ({ body: { size, before } }) => {
  const { merchants, nextBefore } = await listMerchants(size, before);
  return {
    list: merchants.map(({ mid, name, createdAt, profile }) => ({
      mid,
      name,
      ...servicesOf({ profile }),
      created_at: createdAt,
    })),
    next_before: nextBefore,
  };
});

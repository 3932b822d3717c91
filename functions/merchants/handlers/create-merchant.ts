import { endpoint } from '../../core/http.ts';
import { createMerchant as store } from '../merchant-store.ts';
import { createMerchant } from '../operations.ts';

export const handler = endpoint(createMerchant, async ({ body }) => {
  const { mid } = await store(body);
  return { mid };
});

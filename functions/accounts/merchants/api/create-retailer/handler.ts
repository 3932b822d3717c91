import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { merchantForCaller, createRetailer as store } from '../../merchant/merchant-store.ts';
import { createRetailer } from './operation.ts';

export const handler = auditedEndpoint(createRetailer, async ({ params: { mid }, body, caller }) => {
  const { rid } = await store(await merchantForCaller(mid, caller), body);
  return { rid };
});

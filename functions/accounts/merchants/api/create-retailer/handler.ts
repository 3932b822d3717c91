import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { merchantForCaller, createRetailer as store } from '../../merchant/merchant-store.ts';
import { createRetailerOperation } from './operation.ts';

export const handler = auditedEndpoint(createRetailerOperation, async ({ params: { mid }, body, caller }) => {
  const { rid } = await store(await merchantForCaller(mid, caller), body);
  return { rid };
});

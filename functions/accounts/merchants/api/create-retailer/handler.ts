import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { merchantForCaller, createRetailer as store } from '../../merchant/merchant-store.ts';
import { createRetailerOperation as operation } from './operation.ts';

export const handler = auditedEndpoint(
  operation,
  idempotent(operation, async ({ params: { mid }, body, caller }, claim) => {
    const merchant = await merchantForCaller(mid, caller);
    if (claim?.made !== undefined) return { rid: claim.made };
    const { rid } = await store(merchant, body, claim);
    return { rid };
  }),
);

import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { enrollRetailerSite as store } from '../../retailer-site-store.ts';
import { enrollRetailerSiteOperation as operation } from './operation.ts';

export const handler = auditedEndpoint(
  operation,
  idempotent(operation, async ({ body, caller }, claim) => {
    const { rid, sid } = await store(await merchantForCaller(body.mid, caller), body, claim);
    return { status: 'ok' as const, rid, sid, msg: 'The retailer and its alert site were created' };
  }),
);

import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { enrollRetailerSite as store } from '../../retailer-site-store.ts';
import { enrollRetailerSiteOperation } from './operation.ts';

export const handler = auditedEndpoint(enrollRetailerSiteOperation, async ({ body, caller }) => {
  const { rid, sid } = await store(await merchantForCaller(body.mid, caller), body);
  return { status: 'ok' as const, rid, sid, msg: 'The retailer and its alert site were created' };
});

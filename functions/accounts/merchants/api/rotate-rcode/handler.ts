import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { rotateRcode as store } from '../../site/site-store.ts';
import { rotateRcodeOperation } from './operation.ts';

export const handler = auditedEndpoint(rotateRcodeOperation, async ({ params: { sid }, caller }, diversion) => {
  const { text, previousValidUntil, mid } = await store(sid, caller);
  diversion.mid = mid;
  return { rcode: text, previous_valid_until: previousValidUntil };
});

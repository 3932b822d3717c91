import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { rotateSigningSecret as store } from '../../site/site-store.ts';
import { rotateSigningSecretOperation } from './operation.ts';

export const handler = auditedEndpoint(rotateSigningSecretOperation, async ({ params: { sid }, caller }, diversion) => {
  const { text, previousValidUntil, mid } = await store(sid, caller);
  diversion.mid = mid;
  return { signing_secret: text, previous_valid_until: previousValidUntil };
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { setServices } from '../../merchant/merchant-store.ts';
import { setServicesOperation } from './operation.ts';

export const handler = auditedEndpoint(setServicesOperation, async ({ params: { mid }, body }, _, comparison) => {
  const { before, after } = await setServices(mid, body);
  comparison.compare(before, after);
  return { status: 'ok' as const, mid, ...after };
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import { saveFigures } from '../../figures-store.ts';
import { setFiguresOperation } from './operation.ts';

export const handler = auditedEndpoint(setFiguresOperation, async ({ body, caller }) => {
  const { mid, month, scheme, settled_count: settled, chargeback_count: chargebacks, fraud_count: fraud } = body;
  await saveFigures(merchantOfRequest(mid, caller), month, scheme, { settled, chargebacks, fraud });
  return { status: 'ok' as const };
});

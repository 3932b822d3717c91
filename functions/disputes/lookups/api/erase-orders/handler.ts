import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { eraseCustomer } from '../../order/erase-store.ts';
import { eraseOrdersOperation } from './operation.ts';

export const handler = auditedEndpoint(eraseOrdersOperation, async ({ body, caller }) => {
  return { status: 'ok' as const, ...(await eraseCustomer(body, caller)) };
});

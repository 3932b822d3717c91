import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { noteForCaller } from '../../customer-store.ts';
import { noteCustomerOperation } from './operation.ts';

export const handler = auditedEndpoint(
  noteCustomerOperation,
  async ({ body: { note, ...subject }, headers, caller, requestId }) => {
    const at = await noteForCaller(subject, note, headers['idempotency-key'] ?? requestId, caller);
    return { status: 'ok' as const, noted_at: at };
  },
);

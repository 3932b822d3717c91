import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { setCreditFor } from '../../credit-store.ts';
import { setCreditOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setCreditOperation,
  async ({ params: { alert_id }, body, caller }, _, comparison) => {
    const { before, after: credit } = await setCreditFor(alert_id, body, caller);
    comparison.compare(before, credit);
    return {
      status: 'ok' as const,
      alert_id,
      credit: credit.state,
      credit_reason: credit.reason,
      credit_evidence: credit.evidence,
    };
  },
);

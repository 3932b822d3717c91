import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { feeProblems, toFeesDto } from '../../fees/fee.ts';
import { setFees as store } from '../../fees/fee-store.ts';
import { setFeesOperation } from './operation.ts';

export const handler = auditedEndpoint(setFeesOperation, async ({ params: { sid }, body: { fees }, caller }) => {
  const problems = feeProblems(fees);
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  return toFeesDto(sid, await store(sid, fees, caller));
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { type Fee, feeProblems, toFeesDto } from '../../fees/fee.ts';
import { setFees as store } from '../../fees/fee-store.ts';
import { setFeesOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setFeesOperation,
  async ({ params: { sid }, body: { fees }, caller }, _, comparison) => {
    const problems = feeProblems(fees);
    if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
    const saved = await store(sid, fees, caller);
    comparison.compare(byMethod(saved.before), byMethod(saved.fees));
    return toFeesDto(sid, saved);
  },
);

const byMethod = (fees: readonly Fee[]) => ({
  fees: Object.fromEntries(fees.map((fee) => [[fee.paymethod, fee.currency].filter(Boolean).join(' '), fee])),
});

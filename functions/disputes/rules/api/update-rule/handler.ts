import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedRuleFields, refundsByItself, toRuleDto } from '../../decide/rule-fields.ts';
import { changeRule } from '../../rule-store.ts';
import { updateRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(
  updateRuleOperation,
  async ({ params, body: { version, ...sent }, caller }, diversion) => {
    let didRefund = false;
    const rule = await changeRule(params.id, caller, version, (before) => {
      didRefund = refundsByItself(before);
      return changedRuleFields(before, sent);
    });
    diversion.isReal = didRefund || refundsByItself(rule);
    return toRuleDto(rule);
  },
);

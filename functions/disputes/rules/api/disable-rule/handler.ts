import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toRuleDto } from '../../decide/rule-fields.ts';
import { changeRule } from '../../rule-store.ts';
import { disableRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(disableRuleOperation, async ({ params, caller }, _, comparison) => {
  const rule = await changeRule(params.id, caller, undefined, (before) => {
    comparison.compare(before, { enabled: false });
    return { ...before, enabled: false };
  });
  return toRuleDto(rule);
});

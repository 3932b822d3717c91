import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedRuleFields, toRuleDto } from '../../decide/rule-fields.ts';
import { changeRule } from '../../rule-store.ts';
import { updateRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(updateRuleOperation, async ({ params, body: { version, ...sent }, caller }) =>
  toRuleDto(await changeRule(params.id, caller, version, (rule) => changedRuleFields(rule, sent))),
);

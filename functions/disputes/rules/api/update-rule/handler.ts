import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedFields, toRuleDto } from '../../decide/rule-fields.ts';
import { changeRule } from '../../rule-store.ts';
import { updateRule } from './operation.ts';

export const handler = auditedEndpoint(updateRule, async ({ params, body: { version, ...sent }, caller }) =>
  toRuleDto(await changeRule(params.id, caller, version, (rule) => changedFields(rule, sent))),
);

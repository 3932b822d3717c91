import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ruleOperation } from '../../declarations.ts';
import { RuleDto, RuleParams, shown } from '../../schemas.ts';

export const RuleDetails = v.object({
  ...shown,
  versions: describeField(v.array(RuleDto), 'Newest first; the last hundred.'),
});

export const ruleDetailsOperation = defineOperation('rules/rule-details', {
  ...ruleOperation,
  permission: 'settings:read',
  summary: 'Show a rule with its versions',
  description: 'The newest 100 versions, each as it was, and since when.',
  path: '/api/v3/service_alerts/rules/{id}/details',
  params: RuleParams,
  reply: RuleDetails,
  errors: ['rule_not_found'],
  grants: { table: ['Query'] },
});

import { defineOperation } from '#core/platform/operation/operation.ts';
import { ruleOperation } from '../../declarations.ts';
import { RuleDto, RuleParams } from '../../schemas.ts';

export const disableRuleOperation = defineOperation('rules/disable-rule', {
  ...ruleOperation,
  permission: 'settings',
  summary: 'Disable a rule',
  description: 'It keeps its place and can be enabled again by an update.',
  path: '/api/v3/service_alerts/rules/{id}/disable',
  roles: ['manager'],
  params: RuleParams,
  reply: RuleDto,
  errors: ['rule_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  audit: true,
  auditValues: { changed: { enabled: 'value' } },
});

import * as v from 'valibot';
import { EnabledField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ruleOperation } from '../../declarations.ts';
import { RuleNameField } from '../../field-schemas.ts';
import { AnyActionField, Mode, Providers, RuleConditionsSchema, RuleDto, RuleParams } from '../../schemas.ts';

export const UpdateRule = v.object({
  version: describeField(
    v.optional(Id),
    'The version that this change is based on; if it is no longer the current one, the answer is 409.',
  ),
  name: v.optional(RuleNameField),
  mode: v.optional(Mode),
  enabled: v.optional(EnabledField),
  providers: v.optional(Providers),
  conditions: v.optional(RuleConditionsSchema),
  action: v.optional(AnyActionField),
});

export const updateRuleOperation = defineOperation('rules/update-rule', {
  ...ruleOperation,
  permission: 'settings:money',
  summary: 'Change a rule',
  description: 'Fields that are absent stay. Each change makes a version; those before are kept.',
  path: '/api/v3/service_alerts/rules/{id}/update',
  roles: ['manager'],
  params: RuleParams,
  body: UpdateRule,
  reply: RuleDto,
  errors: ['rule_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  diverts: 'money',
  auditValues: {
    changed: {
      ...{ name: 'value', mode: 'value', enabled: 'value', providers: 'value', 'action.type': 'value' },
      'action.reason_code': 'value',
    },
  },
});

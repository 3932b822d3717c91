import * as v from 'valibot';
import { EnabledField } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { anyOwnerErrors, ruleOperation } from '../../declarations.ts';
import { RuleNameField } from '../../field-schemas.ts';
import { AnyActionField, Mode, ownerOfAny, Providers, RuleConditionsSchema, RuleDto } from '../../schemas.ts';

export const CreateRule = v.object({
  ...ownerOfAny,
  name: RuleNameField,
  mode: v.optional(Mode, 'live'),
  enabled: v.optional(EnabledField, true),
  providers: v.optional(Providers),
  conditions: RuleConditionsSchema,
  action: AnyActionField,
});

export const createRuleOperation = defineOperation('rules/create-rule', {
  ...ruleOperation,
  permission: 'settings:money',
  summary: 'Create a rule that decides alerts, warnings or chargebacks automatically',
  description:
    "A rule belongs to a site (`sid`) or to all sites of a merchant (`mid`). A site's rules are applied first, each owner's " +
    'in order; the first that matches decides.',
  path: '/api/v3/service_alerts/rules/create',
  roles: ['manager'],
  body: CreateRule,
  reply: RuleDto,
  errors: [...anyOwnerErrors, 'rules_full', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem'] },
  diverts: 'money',
  auditValues: {
    sent: {
      ...{ name: 'value', mode: 'value', enabled: 'value', providers: 'value', 'action.type': 'value' },
      'action.reason_code': 'value',
    },
  },
});

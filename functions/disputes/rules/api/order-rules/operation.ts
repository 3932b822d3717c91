import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { anyOwnerErrors, ruleOperation } from '../../declarations.ts';
import { ownerOfAny, RuleList } from '../../schemas.ts';

const firstRepeated = (ids: readonly number[]): number | undefined => ids.find((id, index) => ids.indexOf(id) < index);

export const OrderRules = v.object({
  ...ownerOfAny,
  rule_ids: v.pipe(
    v.array(Id, 'must be a list of rule ids'),
    v.maxLength(50, 'must have at most 50 entries'),
    v.check(
      (ids) => firstRepeated(ids) === undefined,
      ({ input }) => `names ${firstRepeated(input)} more than once`,
    ),
    v.description('All rules, in the order in which to apply them.'),
  ),
});

export const orderRulesOperation = defineOperation('rules/order-rules', {
  ...ruleOperation,
  permission: 'settings:money',
  summary: 'Change the order of rules',
  description: 'Names every rule of the site or merchant once, in the order in which to apply them.',
  path: '/api/v3/service_alerts/rules/order',
  roles: ['manager'],
  body: OrderRules,
  reply: RuleList,
  errors: [...anyOwnerErrors, 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  diverts: 'money',
  auditValues: { changed: { names: 'value' } },
});

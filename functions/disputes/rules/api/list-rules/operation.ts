import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { anyOwnerErrors, ruleOperation } from '../../declarations.ts';
import { ownerOfAny, RuleList } from '../../schemas.ts';

export const OwnerBody = v.object(ownerOfAny);

export const listRulesOperation = defineOperation('rules/list-rules', {
  ...ruleOperation,
  permission: 'settings:read',
  summary: 'List the rules of a site or a merchant in the order in which they are applied',
  description: 'The present version of each, the enabled and the disabled ones.',
  path: '/api/v3/service_alerts/rules/list',
  body: OwnerBody,
  reply: RuleList,
  errors: anyOwnerErrors,
  grants: { table: ['GetItem'] },
});

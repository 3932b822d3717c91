import { defineOperation } from '../core/operation.ts';
import {
  CreateRule,
  DryRun,
  DryRunResult,
  OrderRules,
  OwnerBody,
  RuleDetails,
  RuleList,
  RuleParams,
  RuleShown,
  UpdateRule,
} from './schemas.ts';

const base = { area: 'rules', method: 'POST', auth: 'bearer' } as const;
const ownerErrors = ['merchant_not_found', 'site_not_found', 'site_not_for_alerts'] as const;

export const createRule = defineOperation({
  ...base,
  name: 'create-rule',
  summary: 'Make a rule that decides alerts automatically',
  description:
    "A rule belongs to a site (`sid`) or to all sites of a merchant (`mid`). A site's rules are asked first, each owner's " +
    'in order; the first that matches decides.',
  path: '/api/v3/service_alerts/rules/create',
  body: CreateRule,
  reply: RuleShown,
  errors: [...ownerErrors, 'rules_full', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem', 'UpdateItem'] },
});

export const listRules = defineOperation({
  ...base,
  name: 'list-rules',
  summary: "List a site's or a merchant's rules in the order in which they are asked",
  description: 'The present version of each, the enabled and the disabled ones.',
  path: '/api/v3/service_alerts/rules/list',
  body: OwnerBody,
  reply: RuleList,
  errors: ownerErrors,
  grants: { table: ['GetItem'] },
});

export const ruleDetails = defineOperation({
  ...base,
  name: 'rule-details',
  summary: 'Show a rule with its versions',
  description: 'The newest 100 versions, each as it was, and since when.',
  path: '/api/v3/service_alerts/rules/{id}/details',
  params: RuleParams,
  reply: RuleDetails,
  errors: ['rule_not_found'],
  grants: { table: ['Query'] },
});

export const updateRule = defineOperation({
  ...base,
  name: 'update-rule',
  summary: 'Change a rule',
  description: 'Fields that are absent stay. Each change makes a version; those before are kept.',
  path: '/api/v3/service_alerts/rules/{id}/update',
  params: RuleParams,
  body: UpdateRule,
  reply: RuleShown,
  errors: ['rule_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

export const disableRule = defineOperation({
  ...base,
  name: 'disable-rule',
  summary: 'Ask a rule no more',
  description: 'It keeps its place and can be enabled again by an update.',
  path: '/api/v3/service_alerts/rules/{id}/disable',
  params: RuleParams,
  reply: RuleShown,
  errors: ['rule_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

export const orderRules = defineOperation({
  ...base,
  name: 'order-rules',
  summary: 'Put rules into another order',
  description: 'Names every rule of the site or merchant once, the first to be asked first.',
  path: '/api/v3/service_alerts/rules/order',
  body: OrderRules,
  reply: RuleList,
  errors: [...ownerErrors, 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});

export const dryRun = defineOperation({
  ...base,
  name: 'dry-run',
  summary: 'Tell what rules would have done with the alerts of the last days',
  description:
    'Oldest first, a page at a time. Refunds are counted as if each alert had exactly one transaction at a processor; ' +
    'limits hold as they would have, those of a day over all pages. Test alerts are left out.',
  path: '/api/v3/service_alerts/rules/dry-run',
  body: DryRun,
  reply: DryRunResult,
  errors: [...ownerErrors, 'rule_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'], indexes: ['list2', 'list4'] },
  memoryMegabytes: 512,
});

export const ruleOperations = [
  createRule,
  listRules,
  ruleDetails,
  updateRule,
  disableRule,
  orderRules,
  dryRun,
] as const;

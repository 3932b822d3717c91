import type { createRuleOperation as CreateRuleOperation } from '#disputes/rules/api/create-rule/operation.ts';
import type { disableRuleOperation as DisableRuleOperation } from '#disputes/rules/api/disable-rule/operation.ts';
import type { dryRunOperation as DryRunOperation } from '#disputes/rules/api/dry-run/operation.ts';
import type { listRulesOperation as ListRulesOperation } from '#disputes/rules/api/list-rules/operation.ts';
import type { orderRulesOperation as OrderRulesOperation } from '#disputes/rules/api/order-rules/operation.ts';
import type { ruleDetailsOperation as RuleDetailsOperation } from '#disputes/rules/api/rule-details/operation.ts';
import type { updateRuleOperation as UpdateRuleOperation } from '#disputes/rules/api/update-rule/operation.ts';
import { type ReplyOf, type RowOf, remote } from '../app/client.ts';

/** The operations of the screens of rules. */

export const listRules = remote<typeof ListRulesOperation>({ path: '/api/v3/service_alerts/rules/list' });
export type RuleRow = RowOf<typeof ListRulesOperation>;

export const ruleDetails = remote<typeof RuleDetailsOperation>({ path: '/api/v3/service_alerts/rules/{id}/details' });
export type RuleDto = ReplyOf<typeof RuleDetailsOperation>;

export const createRule = remote<typeof CreateRuleOperation>({
  path: '/api/v3/service_alerts/rules/create',
  roles: ['manager'],
});
export const updateRule = remote<typeof UpdateRuleOperation>({
  path: '/api/v3/service_alerts/rules/{id}/update',
  roles: ['manager'],
});
export const disableRule = remote<typeof DisableRuleOperation>({
  path: '/api/v3/service_alerts/rules/{id}/disable',
  roles: ['manager'],
});
export const orderRules = remote<typeof OrderRulesOperation>({
  path: '/api/v3/service_alerts/rules/order',
  roles: ['manager'],
});
export const dryRun = remote<typeof DryRunOperation>({ path: '/api/v3/service_alerts/rules/dry-run' });
export type DryRunPage = ReplyOf<typeof DryRunOperation>;

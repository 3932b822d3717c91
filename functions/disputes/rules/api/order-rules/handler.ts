import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toRulesDto } from '../../decide/rule-fields.ts';
import { orderRules as order, ownerFor } from '../../rule-store.ts';
import { orderRulesOperation } from './operation.ts';

export const handler = auditedEndpoint(
  orderRulesOperation,
  async ({ body: { rule_ids, ...named }, caller }, _, comparison) => {
    const { before, after } = await order(await ownerFor(named, caller), rule_ids);
    const namesOf = (rules: typeof after) => ({ names: rules.map(({ name }) => name) });
    comparison.compare(namesOf(before), namesOf(after));
    return toRulesDto(after);
  },
);

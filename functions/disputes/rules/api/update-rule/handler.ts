import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedRuleFields, movesMoneyByItself, toRuleDto } from '../../decide/rule-fields.ts';
import { changeRule } from '../../rule-store.ts';
import { updateRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(
  updateRuleOperation,
  async ({ params, body: { version, ...sent }, caller }, diversion, comparison) => {
    let didMove = false;
    const rule = await changeRule(params.id, caller, version, (before) => {
      didMove = movesMoneyByItself(before);
      const after = changedRuleFields(before, sent);
      comparison.compare(before, after);
      return after;
    });
    diversion.isReal = didMove || movesMoneyByItself(rule);
    return toRuleDto(rule);
  },
);

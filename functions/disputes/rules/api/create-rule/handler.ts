import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { fieldsAbout, movesMoneyByItself, toRuleDto } from '../../decide/rule-fields.ts';
import { createRule as create, ownerFor } from '../../rule-store.ts';
import { createRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(
  createRuleOperation,
  async ({ body: { sid, mid, about, ...sent }, caller }, diversion) => {
    const fields = fieldsAbout(about, sent);
    const owner = await ownerFor({ sid, mid, about }, caller);
    const rule = await create(owner, fields, caller.subject);
    diversion.isReal = movesMoneyByItself(rule);
    return toRuleDto(rule);
  },
);

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { fieldsOf, refundsByItself, toRuleDto } from '../../decide/rule-fields.ts';
import { createRule as create, ownerFor } from '../../rule-store.ts';
import { createRuleOperation } from './operation.ts';

export const handler = auditedEndpoint(
  createRuleOperation,
  async ({ body: { sid, mid, ...sent }, caller }, diversion) => {
    const fields = fieldsOf(sent);
    const owner = await ownerFor({ sid, mid }, caller);
    const rule = await create(owner, fields, caller.subject);
    diversion.isReal = refundsByItself(rule);
    return toRuleDto(rule);
  },
);

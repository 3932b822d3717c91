import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { beginBackTest, toBackTestDto } from '../../back-test/back-test-store.ts';
import { draftFieldsOf } from '../../decide/rule-fields.ts';
import { ownerFor } from '../../rule-store.ts';
import { backTestOperation } from './operation.ts';

export const handler = auditedEndpoint(backTestOperation, async ({ body: { sid, mid, ...sent }, caller }) => {
  if (sid === undefined && sent.site_rules) {
    throw new Refusal('request_invalid', 'site_rules: send sid as well; the rules of a merchant are merchant_rules');
  }
  const draft = {
    site: draftFieldsOf('site_rules', sent.site_rules) ?? null,
    merchant: draftFieldsOf('merchant_rules', sent.merchant_rules) ?? null,
  };
  const owner = await ownerFor({ sid, mid }, caller);
  const begun = await beginBackTest(owner, { days: sent.days, draft }, caller.subject);
  return { status: 'ok' as const, ...toBackTestDto(begun) };
});

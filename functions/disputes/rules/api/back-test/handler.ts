import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { beginBackTest, toBackTestDto } from '../../back-test/back-test-store.ts';
import { fieldsOf } from '../../decide/rule-fields.ts';
import { ownerFor } from '../../rule-store.ts';
import { backTestOperation } from './operation.ts';

type Sent = Parameters<typeof fieldsOf>[0];

/** A draft's rules, checked; what is wrong is named with the rule's place. */
const fieldsIn = (name: string, list: readonly Sent[] | undefined) =>
  list?.map((sent, place) => {
    try {
      return fieldsOf(sent);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal('request_invalid', `${name}.${place}.${error.details}`);
    }
  }) ?? null;

export const handler = auditedEndpoint(backTestOperation, async ({ body: { sid, mid, ...sent }, caller }) => {
  if (sid === undefined && sent.site_rules) {
    throw new Refusal('request_invalid', 'site_rules: send sid as well; the rules of a merchant are merchant_rules');
  }
  const draft = {
    site: fieldsIn('site_rules', sent.site_rules),
    merchant: fieldsIn('merchant_rules', sent.merchant_rules),
  };
  const owner = await ownerFor({ sid, mid }, caller);
  const begun = await beginBackTest(owner, { days: sent.days, draft }, caller.subject);
  return { status: 'ok' as const, ...toBackTestDto(begun) };
});

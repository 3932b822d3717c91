import { auditedEndpoint } from '../../core/audit-store.ts';
import { Refusal } from '../../core/errors.ts';
import { merchantForCaller } from '../../merchants/merchant-store.ts';
import { webhookUrlRules } from '../../merchants/url-rules.ts';
import { urlProblems } from '../retailer-site.ts';
import { enrollRetailerSite as store } from '../retailer-site-store.ts';
import { enrollRetailerSite } from './operation.ts';

export const handler = auditedEndpoint(enrollRetailerSite, async ({ body, caller }) => {
  const rules = webhookUrlRules();
  const problems = urlProblems(body, rules);
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  const { rid, sid } = await store(await merchantForCaller(body.mid, caller), body, rules);
  return { status: 'ok' as const, rid, sid, msg: 'The retailer and its alert site were created' };
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { parentsForCaller } from '../../merchant/merchant-store.ts';
import { createSite as store } from '../../site/site-store.ts';
import { createSiteOperation } from './operation.ts';

export const handler = auditedEndpoint(createSiteOperation, async ({ params: { mid, rid }, body, caller }) => {
  const parents = await parentsForCaller(mid, rid, caller);
  await checkReferences([
    { field: 'reseller_id', source: 'reseller', id: body.reseller_id },
    { field: 'support_group', source: 'supportgroup', id: body.support_group },
    { field: 'cat_id', source: 'sitecategory', id: body.cat_id },
  ]);
  const { site, rcode, signingSecret } = await store(parents, body);
  return { sid: site.sid, rcode, signing_secret: signingSecret };
});

import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { parentsForCaller } from '../../merchant/merchant-store.ts';
import { siteMade, createSite as store } from '../../site/site-store.ts';
import { createSiteOperation as operation } from './operation.ts';

export const handler = auditedEndpoint(
  operation,
  idempotent(operation, async ({ params: { mid, rid }, body, caller }, claim) => {
    const parents = await parentsForCaller(mid, rid, caller);
    await checkReferences([
      { field: 'reseller_id', source: 'reseller', id: body.reseller_id },
      { field: 'support_group', source: 'supportgroup', id: body.support_group },
      { field: 'cat_id', source: 'sitecategory', id: body.cat_id },
    ]);
    const { site, rcode, signingSecret } = await (claim?.made === undefined
      ? store(parents, body, claim)
      : siteMade(claim.made));
    return { sid: site.sid, rcode, signing_secret: signingSecret };
  }),
);

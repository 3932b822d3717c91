import { endpoint } from '#core/platform/http/http.ts';
import { type Page, readPage } from '#core/platform/lists/listing-store.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { findRetailerForCaller } from '../../merchant/merchant-store.ts';
import { siteListRequest } from '../../site/site-list.ts';
import { listSitesOperation } from './operation.ts';

const nothing: Page = { list: [], totalResult: 0, next_cursor: null };

export const handler = endpoint(listSitesOperation, async ({ body, caller }) => {
  const retailer = body.rid === undefined ? undefined : await findRetailerForCaller(body.rid, caller);
  const request = siteListRequest(body, caller, retailer);
  // A list shows what site-row.ts put there.
  return (request ? await readPage(request) : nothing) as Reply<typeof listSitesOperation>;
});

import { endpoint } from '#core/platform/http/http.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { alertScope } from '#disputes/alerts/alert-store.ts';
import { lookupProviders, lookupResults } from '../../lookup/lookup.ts';
import { facetKinds, type LookupSummary, lookupEntity } from '../../lookup/lookup-row.ts';
import { withOrderBuyers } from '../../order/order-list-store.ts';
import { listLookupsOperation } from './operation.ts';

export const handler = endpoint(listLookupsOperation, async ({ body, caller }) => {
  const { mid, sid, provider, result, date_from: from, date_to: to, ...page } = body;
  const scope = await alertScope({ mid, sid }, caller);
  const facets =
    provider || result ? crossFacets(provider ?? lookupProviders, facetKinds(result ?? lookupResults)) : undefined;
  const read = await readPage<LookupSummary>({ entity: lookupEntity, ...scope, facets, from, to, ...page });
  return { ...read, list: await withOrderBuyers(read.list) };
});

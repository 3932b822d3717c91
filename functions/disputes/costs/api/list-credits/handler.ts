import { endpoint } from '#core/platform/http/http.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { alertScope } from '#disputes/alerts/alert-store.ts';
import { creditReasons } from '#disputes/alerts/cost/cost.ts';
import { type CreditSummary, creditEntity } from '#disputes/alerts/cost/cost-row.ts';
import { listedCreditStates } from '../../schemas.ts';
import { listCreditsOperation } from './operation.ts';

export const handler = endpoint(listCreditsOperation, async ({ body, caller }) => {
  const { state, reason, mid, rid, sid, date_from: from, date_to: to, ...page } = body;
  const scope = await alertScope({ mid, rid, sid }, caller);
  const facets = state || reason ? crossFacets(state ?? listedCreditStates, reason ?? creditReasons) : undefined;
  return readPage<CreditSummary>({ entity: creditEntity, ...scope, facets, from, to, ...page });
});

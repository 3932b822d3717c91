import { endpoint } from '#core/platform/http/http.ts';
import { crossFacets, facetOf, listPosition } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { wholeListPage } from '#core/platform/lists/whole-list.ts';
import { outcomeStates } from '#disputes/alerts/answer/network-outcome.ts';
import {
  type NetworkOutcomeSummary,
  outcomeEntity,
  toOutcomeSummary,
} from '#disputes/alerts/answer/network-outcome-row.ts';
import { outcomeProviders } from '#disputes/providers/providers.ts';
import { outcomeScope, readOutcomes } from '../../outcome-access-store.ts';
import { listOutcomesOperation } from './operation.ts';

export const handler = endpoint(listOutcomesOperation, async ({ body, caller }) => {
  const { state, provider, mid, sid, alert_id, date_from: from, date_to: to, ...page } = body;
  const scope = await outcomeScope({ mid, sid, alert_id }, caller);
  if (scope === undefined) return { list: [], totalResult: 0, next_cursor: null };
  const facets = state || provider ? crossFacets(state ?? outcomeStates, provider ?? outcomeProviders) : undefined;
  const request = { facets, from, to, ...page };
  if (!('alert' in scope)) return readPage<NetworkOutcomeSummary>({ entity: outcomeEntity, ...scope, ...request });
  const outcomes = (await readOutcomes(scope.alert)).map((outcome) => ({
    position: listPosition(outcome.createdAt, outcome.id),
    facet: facetOf(outcome.state, outcome.provider),
    summary: toOutcomeSummary(outcome),
  }));
  return wholeListPage(outcomes, request);
});

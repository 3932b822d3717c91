import { alertScope } from '../../alerts/alert-store.ts';
import { creditReasons } from '../../alerts/cost/cost.ts';
import { type CreditSummary, creditEntity } from '../../alerts/cost/cost-row.ts';
import { endpoint } from '../../core/http.ts';
import { facetsOf } from '../../core/listing.ts';
import { readPage } from '../../core/listing-store.ts';
import { listedCreditStates } from '../schemas.ts';
import { listCredits } from './operation.ts';

export const handler = endpoint(listCredits, async ({ body, caller }) => {
  const { state, reason, mid, rid, sid, date_from: from, date_to: to, ...page } = body;
  const scope = await alertScope({ mid, rid, sid }, caller);
  const facets = state || reason ? facetsOf(state ?? listedCreditStates, reason ?? creditReasons) : undefined;
  return readPage<CreditSummary>({ entity: creditEntity, ...scope, facets, from, to, ...page });
});

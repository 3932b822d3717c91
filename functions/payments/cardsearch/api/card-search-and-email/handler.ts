import { endpoint } from '#core/platform/http/http.ts';
import { mailFound } from '../../list-mail-store.ts';
import { criteriaFor, planSearch, readSitesOfFound, searchTransactions, verifyRows } from '../../search-store.ts';
import { cardSearchAndEmailOperation } from './operation.ts';

export const handler = endpoint(cardSearchAndEmailOperation, async ({ body, caller }) => {
  const criteria = criteriaFor(body, caller);
  if (!criteria) return [];
  const search = await planSearch(criteria);
  const found = await searchTransactions(criteria, search);
  const sites = await readSitesOfFound(found);
  const answer = await verifyRows(found, sites);
  await mailFound(found, sites, { criteria, search });
  return answer;
});

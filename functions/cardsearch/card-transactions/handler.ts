import { endpoint } from '../../core/http.ts';
import { criteriaFor, findTransactions, searchOf, sitesOf, verifyRows } from '../search-store.ts';
import { cardTransactions } from './operation.ts';

export const handler = endpoint(cardTransactions, async ({ body, caller }) => {
  const criteria = criteriaFor(body, caller);
  if (!criteria) return [];
  const found = await findTransactions(criteria, await searchOf(criteria));
  return verifyRows(found, await sitesOf(found));
});

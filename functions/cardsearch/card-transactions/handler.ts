import { endpoint } from '../../core/http.ts';
import { criteriaFor, findTransactions, searchOf, sitesOf, verified } from '../search-store.ts';
import { cardTransactions } from './operation.ts';

export const handler = endpoint(cardTransactions, async ({ body, caller }) => {
  const criteria = criteriaFor(body, caller);
  if (!criteria) return [];
  const found = await findTransactions(criteria, await searchOf(criteria));
  return verified(found, await sitesOf(found));
});

import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { criteriaFor, findPage, planSearch, readSitesOfFound, verifyRows } from '../../search-store.ts';
import { cardTransactionsOperation } from './operation.ts';

export const handler = endpoint(cardTransactionsOperation, async ({ body: { size, cursor, ...sent }, caller }) => {
  const criteria = criteriaFor(sent, caller);
  if (!criteria) return [];
  const { found, next } = await findPage(criteria, await planSearch(criteria), { size, cursor });
  const answer = await verifyRows(found, await readSitesOfFound(found));
  return next === null ? answer : new WithHeaders(answer, { 'x-next-cursor': next });
});

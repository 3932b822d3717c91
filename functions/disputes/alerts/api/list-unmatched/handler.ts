import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { unmatchedEntity, wholeSummary } from '../../alert-row.ts';
import type { UnmatchedSummary } from '../../schemas.ts';
import { listUnmatchedOperation } from './operation.ts';

export const handler = endpoint(listUnmatchedOperation, async ({ body }) => {
  const { date_from: from, date_to: to, ...page } = body;
  const query = { entity: unmatchedEntity, scopeIndex: 1, scope: 'all', from, to, ...page } as const;
  const { list, ...rest } = await readPage<UnmatchedSummary>(query);
  return { list: list.map(wholeSummary), ...rest };
});

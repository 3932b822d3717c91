import { endpoint } from '#core/platform/http/http.ts';
import { facetOf } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { type DeliverySummary, deliveryEntity } from '../../delivery/delivery-row.ts';
import { facetsFor } from '../../delivery/filters.ts';
import { scopeForCaller } from '../../delivery-access-store.ts';
import { listNotificationsOperation } from './operation.ts';

export const handler = endpoint(listNotificationsOperation, async ({ body, caller }) => {
  const { date_from: from, date_to: to, order, size, offset, cursor } = body;
  const scope = await scopeForCaller(body, caller);
  if (scope === undefined) return { list: [], totalResult: 0, next_cursor: null };
  const facets = facetsFor(body);
  return readPage<DeliverySummary>({
    entity: deliveryEntity,
    ...scope,
    facets,
    from,
    to,
    order,
    size,
    offset,
    cursor,
    facetOf: (summary) => facetOf(summary.state, summary.kind),
  });
});

import { endpoint } from '#core/platform/http/http.ts';
import { crossFacets, facetOf } from '#core/platform/lists/listing.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { chargebackScope } from '../../chargeback-access-store.ts';
import { readChargebackPage, withBuyers } from '../../chargeback-list-store.ts';
import { listChargebacksOperation } from './operation.ts';

export const handler = endpoint(listChargebacksOperation, async ({ body, caller }) => {
  const { status, stage, mid, sid, alert_id, date_from: from, date_to: to, ...page } = body;
  const scope = await chargebackScope({ mid, sid, alert_id }, caller);
  if (scope === undefined) return { list: [], totalResult: 0, next_cursor: null };
  const facets = status || stage ? crossFacets(status ?? disputeStatuses, stage ?? disputeStages) : undefined;
  const found = await readChargebackPage({
    ...scope,
    facets,
    from,
    to,
    ...page,
    facetOf: (summary) => facetOf(summary.status, summary.stage),
  });
  return { ...found, list: await withBuyers(found.list, caller) };
});

import { endpoint } from '../../core/http.ts';
import { readPage } from '../../core/listing-store.ts';
import { alertFacets } from '../alert-facets.ts';
import { alertEntity } from '../alert-row.ts';
import { alertScope } from '../alert-store.ts';
import type { AlertSummary } from '../schemas.ts';
import { listAlerts } from './operation.ts';

export const handler = endpoint(listAlerts, async ({ body, caller }) => {
  const { status, alert_type, mid, rid, sid, date_from: from, date_to: to, ...page } = body;
  const scope = await alertScope({ mid, rid, sid }, caller);
  const facets = alertFacets(status, alert_type);
  if (facets?.length === 0) return { list: [], totalResult: 0, next_cursor: null };
  return readPage<AlertSummary>({ entity: alertEntity, ...scope, facets, from, to, ...page });
});

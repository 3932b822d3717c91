import { endpoint } from '#core/platform/http/http.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { alertFacets, allAlertFacets } from '../../alert-facets.ts';
import { alertEntity, mayHold, type StoredSummary, wholeSummary } from '../../alert-row.ts';
import { alertScopes, heldTxids, scopeOfAssignee, summariesFor } from '../../alert-store.ts';
import { listAlertsOperation } from './operation.ts';

const toListed = (alert: StoredSummary) => ({
  ...wholeSummary(alert),
  rule: alert.rule ?? null,
  refunded_by: alert.refunded_by ?? null,
  assignee: alert.assignee ?? null,
});

export const handler = endpoint(listAlertsOperation, async ({ body, caller }) => {
  const {
    status,
    alert_type,
    mid,
    rid,
    sid,
    alert_ids: ids,
    assignee,
    date_from: from,
    date_to: to,
    with_held_txid: isHeldAsked,
    ...page
  } = body;
  if (ids !== undefined) {
    const list = (await summariesFor(ids, caller)).map(toListed);
    return { list, totalResult: list.length, next_cursor: null };
  }
  const owners = { mid, rid, sid };
  const scope = assignee === undefined ? await alertScopes(owners, caller) : scopeOfAssignee(assignee, owners, caller);
  const facets = alertFacets(status, alert_type) ?? (assignee === undefined ? undefined : [...allAlertFacets]);
  if (facets?.length === 0 || scope.scope.length === 0) return { list: [], totalResult: 0, next_cursor: null };
  const { list, ...rest } = await readPage<StoredSummary>({ entity: alertEntity, ...scope, facets, from, to, ...page });
  const alerts = list.map(toListed);
  if (!isHeldAsked) return { list: alerts, ...rest };
  const held = await heldTxids(alerts.filter(mayHold).map(({ alert_id }) => alert_id));
  return { list: alerts.map((alert) => ({ ...alert, held_txid: held.get(alert.alert_id) ?? null })), ...rest };
});

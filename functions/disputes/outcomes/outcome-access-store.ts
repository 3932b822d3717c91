import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkMerchantAccess, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { alertVisibleTo } from '#disputes/alerts/alert-row.ts';
import { type NetworkOutcome, outcomeIdsOf, readOutcomeId } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';

/** An outcome that the caller may see. Another merchant's is refused like one that does not exist. */
export const outcomeForCaller = async (id: string, caller: Caller): Promise<NetworkOutcome> => {
  const item = readOutcomeId(id) && (await getItem(keys.outcome(id)));
  const outcome = item && fromOutcomeItem(item);
  return visibleOrRefuse(outcome, caller, 'outcome_not_found', 'id: no outcome of yours has this id.');
};

/** A list of outcomes: one of their scopes, and its value; or those of one alert. */
export type OutcomeScope = { scopeIndex: 1 | 2 | 4; scope: string } | { alert: Alert };

type Wanted = { mid?: number | undefined; sid?: number | undefined; alert_id?: number | undefined };

/**
 * The smallest list with everything that the filters by merchant, site and alert allow and the caller may see; undefined if
 * they exclude each other. Throws merchant_not_found, site_not_found, alert_not_found, also for those of another merchant.
 */
export const outcomeScope = async (
  { mid, sid, alert_id: alertId }: Wanted,
  caller: Caller,
): Promise<OutcomeScope | undefined> => {
  checkMerchantAccess(mid, caller);
  const merchant = mid ?? caller.mid;
  if (alertId !== undefined) {
    const alert = alertVisibleTo(caller, await getItem(keys.alert(alertId)));
    const agrees =
      (sid === undefined || sid === alert.owner?.sid) && (merchant === undefined || merchant === alert.owner?.mid);
    return agrees ? { alert } : undefined;
  }
  if (sid !== undefined) {
    const owner = await siteOwner(sid, caller);
    return merchant === undefined || merchant === owner ? { scopeIndex: 4, scope: `S${sid}` } : undefined;
  }
  return merchant === undefined ? { scopeIndex: 1, scope: 'all' } : { scopeIndex: 2, scope: `M${merchant}` };
};

/** Reads the outcomes of an alert by their keys. */
export const readOutcomes = async (alert: Alert): Promise<NetworkOutcome[]> => {
  const items = await getItems(outcomeIdsOf(alert).map(keys.outcome));
  return items.flatMap((item) => (item ? [fromOutcomeItem(item)] : []));
};

const siteOwner = async (sid: number, caller: Caller): Promise<number> =>
  siteVisibleTo(caller, await getItem(keys.site(sid))).mid;

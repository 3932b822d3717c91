import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import type { Chargeback } from './chargeback.ts';
import { chargebackVisibleTo } from './chargeback-row.ts';

/** A chargeback that the caller may see. Throws chargeback_not_found. */
export const chargebackForCaller = async (id: string, caller: Caller): Promise<Chargeback> =>
  chargebackVisibleTo(caller, await getItem(keys.chargeback(id)));

type Wanted = { mid?: number | undefined; sid?: number | undefined; alert_id?: number | undefined };
type Scope = { scopeIndex: 1 | 2 | 3 | 4; scope: string };

/**
 * The smallest list that holds everything the filters allow and the caller may see; undefined if they exclude each other.
 * Throws merchant_not_found, site_not_found, alert_not_found, also for what is another merchant's.
 */
export const chargebackScope = async (
  { mid, sid, alert_id: alertId }: Wanted,
  caller: Caller,
): Promise<Scope | undefined> => {
  checkMerchantAccess(mid, caller);
  const merchant = mid ?? caller.mid;
  const site = sid === undefined ? undefined : siteVisibleTo(caller, await getItem(keys.site(sid)));
  const alert = alertId === undefined ? undefined : await visibleAlert(alertId, caller);
  const isWithin = (owner: number | undefined) => merchant === undefined || owner === undefined || owner === merchant;
  if (!isWithin(site?.mid) || !isWithin(alert?.owner?.mid)) return undefined;
  if (site && alert)
    throw new Refusal('request_invalid', 'sid: alerts and payments belong to different sites; name only one');
  if (alert) return { scopeIndex: 3, scope: `A${alert.alertId}` };
  if (site) return { scopeIndex: 4, scope: `S${site.sid}` };
  return merchant === undefined ? { scopeIndex: 1, scope: 'all' } : { scopeIndex: 2, scope: `M${merchant}` };
};

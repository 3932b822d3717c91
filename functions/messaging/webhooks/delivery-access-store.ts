import { fromSiteItem, siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkMerchantAccess, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { alertVisibleTo } from '#disputes/alerts/alert-row.ts';
import { type Delivery, targetUrl } from './delivery/delivery.ts';
import { getDelivery } from './delivery/delivery-store.ts';

/** A delivery that the caller may see. Another merchant's is refused like one that does not exist. */
export const deliveryForCaller = async (id: string, caller: Caller): Promise<Delivery> => {
  const delivery = await getDelivery(id);
  return visibleOrRefuse(delivery, caller, 'notification_not_found', 'id: no notification of yours has this id.');
};

type Moving = Pick<Delivery, 'kind' | 'postbackUrl' | 'sid'> & { attempts: readonly { url: string | null }[] };

/** Checks whether a delivery would go to another origin than its latest attempt. */
export const hasMoved = async ({ attempts, kind, postbackUrl, sid }: Moving): Promise<boolean> => {
  const before = attempts.findLast(({ url }) => url !== null)?.url;
  if (!before) return false;
  const item = await getItem(keys.site(sid));
  const settings = item ? fromSiteItem(item).alert : null;
  const hostOf = (name: 'slack_webhook_url' | 'teams_webhook_url') => {
    const host = settings?.[name]?.host;
    return host === undefined ? null : `https://${host}`;
  };
  const chats = { slack: hostOf('slack_webhook_url'), teams: hostOf('teams_webhook_url') };
  const after = targetUrl({ kind, postbackUrl }, settings, chats);
  return after !== null && new URL(after).origin !== URL.parse(before)?.origin;
};

/** A list of deliveries: which of their scopes, and its value. */
export type DeliveryScope = { scopeIndex: 1 | 2 | 3 | 4; scope: string };

type Wanted = { mid?: number | undefined; sid?: number | undefined; alert_id?: number | undefined };

const alertOwner = async (alertId: number, caller: Caller): Promise<{ mid: number; sid: number } | undefined> => {
  const { owner } = alertVisibleTo(caller, await getItem(keys.alert(alertId)));
  return owner ?? undefined;
};

const siteOwner = async (sid: number, caller: Caller): Promise<number> =>
  siteVisibleTo(caller, await getItem(keys.site(sid))).mid;

/**
 * The smallest list that holds everything the filters by merchant, site and alert allow and the caller may see; undefined
 * if these exclude each other. Refuses what does not exist or is another merchant's.
 */
export const scopeForCaller = async (
  { mid, sid, alert_id: alertId }: Wanted,
  caller: Caller,
): Promise<DeliveryScope | undefined> => {
  checkMerchantAccess(mid, caller);
  if (alertId !== undefined) {
    const owner = await alertOwner(alertId, caller);
    const agrees = (sid === undefined || sid === owner?.sid) && (mid === undefined || mid === owner?.mid);
    return agrees ? { scopeIndex: 3, scope: `A${alertId}` } : undefined;
  }
  if (sid !== undefined) {
    const owner = await siteOwner(sid, caller);
    return mid === undefined || mid === owner ? { scopeIndex: 4, scope: `S${sid}` } : undefined;
  }
  const merchant = mid ?? caller.mid;
  return merchant === undefined ? { scopeIndex: 1, scope: 'all' } : { scopeIndex: 2, scope: `M${merchant}` };
};

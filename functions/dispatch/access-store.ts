import { fromAlertItem } from '../alerts/alert-row.ts';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import type { Caller } from '../core/operation.ts';
import { reaches } from '../core/reach.ts';
import { getItem } from '../core/table.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import type { Delivery } from '../notifications/delivery.ts';
import { getDelivery } from './delivery-store.ts';

/** What belongs to nobody yet is the administrators'. */
const maySee = (caller: Caller, owner: number | undefined): boolean =>
  owner === undefined ? caller.scope === 'admin' : reaches(caller, owner);

/** A delivery that the caller may see. Refuses one of another merchant's like one that does not exist. */
export const deliveryForCaller = async (id: string, caller: Caller): Promise<Delivery> => {
  const delivery = await getDelivery(id);
  if (!delivery || !maySee(caller, delivery.mid))
    throw new Refusal('notification_not_found', 'id: no notification of yours has this id.');
  return delivery;
};

/** A list of deliveries: which of their scopes, and its value. */
export type DeliveryScope = { slot: 1 | 2 | 3 | 4; scope: string };

type Wanted = { mid?: number | undefined; sid?: number | undefined; alert_id?: number | undefined };

const alertOwner = async (alertId: number, caller: Caller): Promise<{ mid: number; sid: number } | undefined> => {
  const item = await getItem(keys.alert(alertId));
  const owner = item && fromAlertItem(item).owner;
  if (!item || !maySee(caller, owner?.mid)) throw new Refusal('alert_not_found', 'alert_id: you have no such alert.');
  return owner ?? undefined;
};

const siteOwner = async (sid: number, caller: Caller): Promise<number> => {
  const item = await getItem(keys.site(sid));
  const site = item && fromSiteItem(item);
  if (!site || !maySee(caller, site.mid)) throw new Refusal('site_not_found', 'sid: you have no such site.');
  return site.mid;
};

/**
 * The smallest list that holds everything the filters by merchant, site and alert allow and the caller may see; undefined
 * if these exclude each other. Refuses what does not exist or is another merchant's.
 */
export const scopeForCaller = async (
  { mid, sid, alert_id: alertId }: Wanted,
  caller: Caller,
): Promise<DeliveryScope | undefined> => {
  if (mid !== undefined && !maySee(caller, mid))
    throw new Refusal('merchant_not_found', 'mid: you have no such merchant.');
  if (alertId !== undefined) {
    const owner = await alertOwner(alertId, caller);
    const agrees = (sid === undefined || sid === owner?.sid) && (mid === undefined || mid === owner?.mid);
    return agrees ? { slot: 3, scope: `A${alertId}` } : undefined;
  }
  if (sid !== undefined) {
    const owner = await siteOwner(sid, caller);
    return mid === undefined || mid === owner ? { slot: 4, scope: `S${sid}` } : undefined;
  }
  const merchant = mid ?? caller.mid;
  return merchant === undefined ? { slot: 1, scope: 'all' } : { slot: 2, scope: `M${merchant}` };
};

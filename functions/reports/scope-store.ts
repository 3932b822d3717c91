import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { canAccessMerchant } from '../core/merchant-access.ts';
import type { Caller } from '../core/operation.ts';
import { getItem } from '../core/table.ts';
import { siteVisibleTo } from '../merchants/site-row.ts';

type Owner = { mid?: number | undefined; sid?: number | undefined };

/**
 * Whose days a report reads: a site's, or a merchant's. Throws merchant_not_found and site_not_found, also where the site is not
 * the merchant's; request_invalid for an administrator who names neither.
 */
export const reportScope = async ({ mid, sid }: Owner, caller: Caller): Promise<string> => {
  if (mid !== undefined && !canAccessMerchant(caller, mid))
    throw new Refusal('merchant_not_found', 'mid: you have no such merchant.');
  if (sid !== undefined) {
    const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
    if (mid !== undefined && site.mid !== mid) throw new Refusal('site_not_found', 'sid: you have no such site.');
    return `S${sid}`;
  }
  const owner = mid ?? caller.mid;
  if (owner === undefined) throw new Refusal('request_invalid', 'mid: is required of an administrator');
  return `M${owner}`;
};

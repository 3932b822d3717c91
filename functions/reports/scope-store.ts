import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { merchantOfRequest } from '../core/merchant-access.ts';
import type { Caller } from '../core/operation.ts';
import { getItem } from '../core/table.ts';
import { merchantForCaller } from '../merchants/merchant-store.ts';
import { siteVisibleTo } from '../merchants/site-row.ts';

type Owner = { mid?: number | undefined; sid?: number | undefined };

/**
 * Whose days a report reads: a site's, or a merchant's. Throws merchant_not_found and site_not_found, also if the site is not
 * the merchant's; request_invalid for an administrator who names neither.
 */
export const reportScope = async ({ mid, sid }: Owner, caller: Caller): Promise<string> => {
  // A user's own merchant needs no look.
  if (mid !== undefined && mid !== caller.mid) await merchantForCaller(mid, caller);
  if (sid !== undefined) {
    const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
    if (mid !== undefined && site.mid !== mid) throw new Refusal('site_not_found', 'sid: you have no such site.');
    return `S${sid}`;
  }
  return `M${merchantOfRequest(mid, caller)}`;
};

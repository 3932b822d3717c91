import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';

type Owner = { mid?: number | undefined; sid?: number | undefined };

/**
 * Returns the owner of a report's days: a site, or a merchant. Throws merchant_not_found and site_not_found, also if the site is not the
 * merchant's; request_invalid for an administrator who names neither.
 */
export const reportScope = async ({ mid, sid }: Owner, caller: Caller): Promise<string> => {
  // A caller may always read their own merchant, so it is not looked up.
  if (mid !== undefined && mid !== caller.mid) await merchantForCaller(mid, caller);
  if (sid !== undefined) {
    const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
    if (mid !== undefined && site.mid !== mid) throw new Refusal('site_not_found', 'sid: you have no such site.');
    return `S${sid}`;
  }
  return `M${merchantOfRequest(mid, caller)}`;
};

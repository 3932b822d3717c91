import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';

type Wanted = { mid: number | undefined; sid: number | undefined };

/** Returns the owner of a report's days: a site (`S1`) or a merchant (`M1`). Throws site_not_found, merchant_not_found, request_invalid. */
export const reportOwner = async ({ mid, sid }: Wanted, caller: Caller): Promise<string> => {
  if (mid !== undefined) await merchantForCaller(mid, caller);
  if (sid !== undefined) {
    const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
    if (mid !== undefined && site.mid !== mid) throw new Refusal('site_not_found', 'sid: you have no such site.');
    return `S${sid}`;
  }
  const owner = mid ?? caller.mid;
  if (owner === undefined) throw new Refusal('request_invalid', 'mid: is required unless sid is given');
  return `M${owner}`;
};

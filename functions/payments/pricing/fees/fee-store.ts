import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, putItem } from '#core/platform/table/table.ts';
import type { Fee } from './fee.ts';
import { fromSiteFeesItem, type SiteFees, toSiteFeesItem } from './fee-row.ts';

/** Replaces the fees of a payment site, and returns those before as well. Throws site_not_found, site_not_for_payments. */
export const setFees = async (
  sid: number,
  fees: readonly Fee[],
  caller: Caller,
): Promise<SiteFees & { before: readonly Fee[] }> => {
  const [site, before] = await getItems([keys.site(sid), keys.siteFees(sid)]);
  checkTakesPayments(siteVisibleTo(caller, site));
  const siteFees: SiteFees = { sid, fees, at: nowIso(), by: caller.subject };
  await putItem(toSiteFeesItem(siteFees));
  return { ...siteFees, before: fromSiteFeesItem(before)?.fees ?? [] };
};

/** A site's fees; undefined where none were ever set. Throws site_not_found. */
export const getFees = async (sid: number, caller: Caller): Promise<SiteFees | undefined> => {
  const [site, fees] = await getItems([keys.site(sid), keys.siteFees(sid)]);
  siteVisibleTo(caller, site);
  return fromSiteFeesItem(fees);
};

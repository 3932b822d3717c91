import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { fromSiteItem } from '../site/site-row.ts';
import { fromRetailerItem } from './merchant-row.ts';

/** Lists of owners' ids to filter by; absent: no filter. */
export type OwnersFilter = {
  mid?: readonly number[] | undefined;
  rid?: readonly number[] | undefined;
  sid?: readonly number[] | undefined;
};

/** The lists that serve a filter by owners: those of one kind of owner, so that no two contain the same entry. */
export type OwnerScopes = { scopeIndex: 1 | 2 | 3 | 4; scope: readonly string[] };

/**
 * The lists of everything that belongs to one of the named owners of each kind and that the caller may access;
 * undefined if there can be nothing. Ids that do not exist are treated like those of other merchants: they own nothing.
 */
export const ownersFilter = async (
  { mid, rid, sid }: OwnersFilter,
  caller: Caller,
): Promise<OwnerScopes | undefined> => {
  const isOwn = (owner: number) => canAccessMerchant(caller, owner) && (mid === undefined || mid.includes(owner));
  if (sid) {
    const items = sid.length > 0 ? await getItems(sid.map(keys.site)) : [];
    const sites = items.flatMap((item) => (item ? [fromSiteItem(item)] : []));
    const own = sites.filter((site) => isOwn(site.mid) && (rid === undefined || rid.includes(site.rid)));
    return scopes(
      4,
      own.map((site) => `S${site.sid}`),
    );
  }
  if (rid) {
    const items = rid.length > 0 ? await getItems(rid.map(keys.retailer)) : [];
    const retailers = items.flatMap((item) => fromRetailerItem(item) ?? []);
    return scopes(
      3,
      retailers.filter((one) => isOwn(one.mid)).map((one) => `R${one.rid}`),
    );
  }
  if (mid)
    return scopes(
      2,
      mid.filter((one) => canAccessMerchant(caller, one)).map((one) => `M${one}`),
    );
  return caller.mid === undefined ? { scopeIndex: 1, scope: ['all'] } : { scopeIndex: 2, scope: [`M${caller.mid}`] };
};

const scopes = (scopeIndex: 2 | 3 | 4, scope: string[]): OwnerScopes | undefined =>
  scope.length > 0 ? { scopeIndex, scope } : undefined;

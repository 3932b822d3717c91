import { Refusal } from './errors.ts';
import type { Caller, Permission } from './operation.ts';

/** Checks whether a caller may see what belongs to a merchant. What they may not see is treated as though it did not exist. */
export const canAccessMerchant = ({ scope, mid }: Caller, ownerMid: number): boolean =>
  scope === 'admin' || (scope === 'merchant' && mid === ownerMid);

/** Checks whether a caller may read what an API key needs a permission for; people may. */
export const hasPermission = ({ key }: Caller, permission: Permission): boolean =>
  key === undefined || key.permissions.includes(permission);

/** Checks whether a caller may see what belongs to a site of a merchant. */
export const canAccessSite = (caller: Caller, owner: { mid: number; sid?: number | null | undefined }): boolean => {
  const sites = caller.key?.sites ?? null;
  const isOfSites = sites === null || (typeof owner.sid === 'number' && sites.includes(owner.sid));
  return isOfSites && canAccessMerchant(caller, owner.mid);
};

/** The refusal for a merchant that does not exist, and for one that the caller may not see. */
export const merchantNotFound = (): Refusal => new Refusal('merchant_not_found', 'mid: you have no such merchant.');

/** Throws merchant_not_found unless the caller may see the merchant that they name, if they do; whether it exists is not looked at. */
export const checkMerchantAccess = (mid: number | undefined, caller: Caller): void => {
  if (mid !== undefined && !canAccessMerchant(caller, mid)) throw merchantNotFound();
};

/** The merchant that a caller names, or else their own. Throws merchant_not_found, and request_invalid for an administrator who names none. */
export const merchantOfRequest = (mid: number | undefined, caller: Caller): number => {
  checkMerchantAccess(mid, caller);
  const owner = mid ?? caller.mid;
  if (owner === undefined) throw new Refusal('request_invalid', 'mid: is required for an administrator');
  return owner;
};

/** Each code says `<what>_not_found`, and the words name the parameter. */
type NotFound = ConstructorParameters<typeof Refusal>[0] & `${string}_not_found`;

/**
 * Returns what was found if the caller may see it. The refusal is the same whether it belongs to another merchant or does not exist, so
 * that callers do not learn what others have. Only administrators see what belongs to no merchant (`mid` null).
 */
export const visibleOrRefuse = <T extends { mid: number | null; sid?: number | null }>(
  found: T | undefined,
  caller: Caller,
  code: NotFound,
  words: string,
): T => {
  const isVisible =
    found !== undefined &&
    (found.mid === null ? caller.scope === 'admin' : canAccessSite(caller, { mid: found.mid, sid: found.sid }));
  if (!isVisible) throw new Refusal(code, words);
  return found;
};

import { siteForCaller } from '#accounts/merchants/site/site-store.ts';
import { siteScopes, userScope } from '#core/platform/audit/audit-row.ts';
import type { PageRequest } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { findUser } from './users/user-store.ts';

type Wanted = { mid?: number | undefined; sid?: number | undefined; username?: string | undefined };

/** Which entries a caller asks for: a site's, a user's, a merchant's, or all. One of the three may be named. */
export const auditScope = async (
  { mid, sid, username }: Wanted,
  caller: Caller,
): Promise<Pick<PageRequest, 'scopeIndex' | 'scope'>> => {
  if ([mid, sid, username].filter((one) => one !== undefined).length > 1) {
    throw new Refusal('request_invalid', 'mid, sid, username: send at most one of them');
  }
  if (sid !== undefined) {
    return { scopeIndex: 4, scope: siteScopes(await siteForCaller(sid, caller)) };
  }
  if (username !== undefined) {
    await checkUser(username, caller);
    return { scopeIndex: 3, scope: userScope(username) };
  }
  const owner = mid ?? caller.mid;
  if (owner === undefined) return { scopeIndex: 1, scope: 'all' };
  checkMerchantAccess(owner, caller);
  return { scopeIndex: 2, scope: `M${owner}` };
};

/** An operator may also name a former user, or a name that was never used. */
const checkUser = async (username: string, caller: Caller): Promise<void> => {
  if (caller.scope === 'admin') return;
  const user = await findUser(username);
  if (user?.mid !== undefined && user.mid !== null && canAccessMerchant(caller, user.mid)) return;
  throw new Refusal('user_not_found', 'username: you have no such user.');
};

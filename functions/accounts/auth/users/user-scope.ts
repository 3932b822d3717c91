import { checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';

/** The list of a merchant's users or keys; of an operator who names no merchant, everyone's. Throws merchant_not_found. */
export const scopeOfMerchant = (asked: number | undefined, caller: Caller): { scopeIndex: 1 | 2; scope: string } => {
  const mid = asked ?? caller.mid;
  checkMerchantAccess(mid, caller);
  return mid === undefined ? { scopeIndex: 1, scope: 'all' } : { scopeIndex: 2, scope: `M${mid}` };
};

import { Refusal } from '../core/errors.ts';
import { canAccessMerchant } from '../core/merchant-access.ts';
import type { Caller } from '../core/operation.ts';

/** Whose report it is. Throws merchant_not_found, and request_invalid for an administrator who names nobody. */
export const reportMerchant = (mid: number | undefined, caller: Caller): number => {
  if (mid !== undefined && !canAccessMerchant(caller, mid))
    throw new Refusal('merchant_not_found', 'mid: you have no such merchant.');
  const owner = mid ?? caller.mid;
  if (owner === undefined) throw new Refusal('request_invalid', 'mid: is required for an administrator');
  return owner;
};

import { Refusal } from './errors.ts';
import type { Caller } from './operation.ts';

/** Whether a caller may see what belongs to a merchant. What they may not see is answered as if it did not exist. */
export const canAccessMerchant = ({ scope, mid }: Caller, ownerMid: number): boolean =>
  scope === 'admin' || (scope === 'merchant' && mid === ownerMid);

/** Each code says `<what>_not_found`, and the words name the parameter. */
type NotFound = ConstructorParameters<typeof Refusal>[0] & `${string}_not_found`;

/**
 * What was found, if the caller may see it; refused with the same words if it is another merchant's and if there is none, so
 * that nobody learns what others have. What belongs to no merchant (`mid` null) is the administrators'.
 */
export const visibleOrRefuse = <T extends { mid: number | null }>(
  found: T | undefined,
  caller: Caller,
  code: NotFound,
  words: string,
): T => {
  const isVisible =
    found !== undefined && (found.mid === null ? caller.scope === 'admin' : canAccessMerchant(caller, found.mid));
  if (!isVisible) throw new Refusal(code, words);
  return found;
};

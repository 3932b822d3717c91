import type { Caller } from './operation.ts';

/** Whether a caller may see what belongs to a merchant. What they may not see is answered as if it did not exist. */
export const reaches = ({ scope, mid }: Caller, ownerMid: number): boolean =>
  scope === 'admin' || (scope === 'merchant' && mid === ownerMid);

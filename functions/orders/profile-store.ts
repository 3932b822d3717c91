import { changedMeanwhile, retryOnConflict } from '../core/conflict-store.ts';
import { Refusal } from '../core/errors.ts';
import type { Caller } from '../core/operation.ts';
import { transact } from '../core/table.ts';
import type { OrderProfile } from '../merchants/order-profile.ts';
import { toOrderProfileItem, unchangedProfile } from '../merchants/order-profile-row.ts';
import { orderSiteForCaller } from './order-store.ts';
import { changedProfile } from './profile.ts';

/**
 * Changes what is given of a shop's profile. Throws site_not_found, orders_disabled, request_invalid, changed_meanwhile.
 */
export const changeProfile = (
  sid: number,
  changes: Parameters<typeof changedProfile>[1],
  caller: Caller,
): Promise<OrderProfile> =>
  retryOnConflict(
    async () => {
      const before = await orderSiteForCaller(sid, caller);
      const after = changedProfile(before, changes);
      if (typeof after === 'string') throw new Refusal('request_invalid', after);
      const written = { ...after, version: before.version + 1 };
      await transact([{ Put: { Item: toOrderProfileItem(written), ...unchangedProfile(before) } }]);
      return written;
    },
    { onExhausted: changedMeanwhile },
  );

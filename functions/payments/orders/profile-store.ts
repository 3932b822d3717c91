import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { toOrderProfileItem, unchangedProfile } from '#accounts/merchants/settings/order-profile-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
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
      await transact({ profile: { Put: { Item: toOrderProfileItem(written), ...unchangedProfile(before) } } });
      return written;
    },
    { onExhausted: changedMeanwhile },
  );

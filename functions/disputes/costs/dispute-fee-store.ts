import { nowIso } from '#core/kernel/clock.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import type { DisputeFee, DisputeFees } from './dispute-fee.ts';
import { feesWrite, fromFeesItem } from './dispute-fee-row.ts';

/** A merchant's fees; undefined if none were set. */
export const readDisputeFees = async (mid: number): Promise<DisputeFees | undefined> =>
  fromFeesItem(await getItem(keys.chargebackFees(mid)));

/** Replaces a merchant's fees, and returns those before as well. Throws merchant_not_found also if the caller may not see the merchant, changed_meanwhile. */
export const setFeesForCaller = (
  mid: number,
  list: readonly DisputeFee[],
  caller: Caller,
): Promise<DisputeFees & { before: DisputeFees['list'] }> =>
  retryOnConflict(
    async () => {
      const [merchant, item] = await getItems([keys.merchant(mid), keys.chargebackFees(mid)]);
      visibleOrRefuse(merchant && { mid }, caller, 'merchant_not_found', 'mid: you have no such merchant.');
      const before = fromFeesItem(item);
      const after = { list, version: (before?.version ?? 0) + 1, updatedAt: nowIso(), by: caller.subject };
      await transact({ fees: feesWrite(mid, after) });
      return { ...after, before: before?.list ?? [] };
    },
    { onExhausted: changedMeanwhile },
  );

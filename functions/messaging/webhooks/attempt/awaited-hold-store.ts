import { setTimeout as pause } from 'node:timers/promises';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { fromHoldItem, type Hold, isHoldAwaited } from '#disputes/alerts/hold-row.ts';

/** The search for an alert's payment starts when the alert arrives and takes moments; an attempt waits two seconds for it at most. */
const pauseMilliseconds = 100;
const maxReads = 20;

/**
 * An alert's hold, once its first search has ended or has taken too long. `isFirst`: for the first attempt of a notification; later ones
 * do not wait.
 */
export const searchedHold = async (alertId: number, isFirst: boolean): Promise<Hold | undefined> => {
  for (let reads = 1; ; reads += 1) {
    const hold = fromHoldItem(await getItem(keys.disputeHold(alertId)));
    if (!isFirst || !hold || !isHoldAwaited(hold) || reads >= maxReads) return hold;
    await pause(pauseMilliseconds);
  }
};

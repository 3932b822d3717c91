import { metric } from '#core/platform/log/log.ts';
import { dueShards } from '#core/platform/table/keys.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { dueMessage, oldestSeconds } from './due-row.ts';
import { readDue } from './due-store.ts';

/** Some 2,500 rows per message, well within its time; the rest goes on in a message of its own. */
const pagesPerMessage = 10;

/**
 * Sweeps one shard. `SweepCompleted` gets each shard's part, so that its sum is 1 for a sweep that reached the end of all
 * of them. `OldestPendingDeliverySeconds` is each shard's; its maximum counts.
 */
export const sweepShard = async (
  { slot, after }: { slot: string; after?: string | undefined },
  shard: number,
): Promise<void> => {
  let position = after;
  for (let page = 0; page < pagesPerMessage; page += 1) {
    const { rows, next } = await readDue(slot, shard, position);
    if (position === undefined) metric('OldestPendingDeliverySeconds', oldestSeconds(rows, slot) ?? 0, 'Seconds');
    await sendOrThrow(rows.map((row) => dueMessage(row, slot)));
    position = next;
    if (position === undefined) {
      metric('SweepCompleted', 1 / dueShards, 'Count');
      return;
    }
  }
  await sendOrThrow([{ queue: 'sweep', body: { slot, shard, ...(position !== undefined && { after: position }) } }]);
};

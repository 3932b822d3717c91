import { describeError, log, metric } from '#core/platform/log/log.ts';
import { dueShards, type Outgoing, type Row } from '#core/platform/work/due.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { countOverdue, dueMessage, oldestSeconds, slotMessages } from './due-routing.ts';
import { readDue } from './due-store.ts';
import type { SweepMessage } from './schemas.ts';

const toSweep = (body: SweepMessage): Outgoing => ({ queue: 'sweep', body });

/** Starts the sweep of each shard at a slot, and sends the messages that every sweep sends. */
export const spreadSweep = (slot: string): Promise<void> =>
  sendOrThrow([...Array.from({ length: dueShards }, (_, shard) => toSweep({ slot, shard })), ...slotMessages]);

/** Some 2,500 rows per message, well within its time; the rest goes on in a message of its own. */
const pagesPerMessage = 10;

/**
 * Sweeps one shard. `SweepCompleted` gets each shard's part, so that its sum is 1 for a sweep that reached the end of all
 * of them. `OldestPendingDeliverySeconds` is each shard's; its maximum counts. `DueRowsOverdue` of `DueRowsSwept` rows were already due at the slot before. Throws after all else if it met a row of an unknown kind.
 */
export const sweepShard = async (
  { slot, after }: { slot: string; after?: string | undefined },
  shard: number,
): Promise<void> => {
  let position = after;
  let unknown: unknown;
  for (let page = 0; page < pagesPerMessage; page += 1) {
    const { rows, next } = await readDue(slot, shard, position);
    if (position === undefined) metric('OldestPendingDeliverySeconds', oldestSeconds(rows, slot) ?? 0, 'Seconds');
    if (rows.length > 0) {
      metric('DueRowsSwept', rows.length, 'Count');
      metric('DueRowsOverdue', countOverdue(rows, slot), 'Count');
    }
    const { messages, error } = toDueMessages(rows, slot);
    unknown ??= error;
    await sendOrThrow(messages);
    position = next;
    if (position === undefined) break;
  }
  if (position !== undefined) await sendOrThrow([toSweep({ slot, shard, after: position })]);
  if (unknown !== undefined) throw unknown;
  if (position === undefined) metric('SweepCompleted', 1 / dueShards, 'Count');
};

/** The messages for rows; a row of an unknown kind must not hold up the others. */
const toDueMessages = (rows: readonly Row[], slot: string): { messages: Outgoing[]; error: unknown } => {
  let error: unknown;
  const messages = rows.flatMap((row) => {
    try {
      return [dueMessage(row, slot)];
    } catch (thrown) {
      log('error', 'due_row_not_swept', { pk: row['pk'], sk: row['sk'], error: describeError(thrown) });
      error ??= thrown;
      return [];
    }
  });
  return { messages, error };
};

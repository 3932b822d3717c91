import * as v from 'valibot';

/**
 * Sweep the slot: without a shard, all of them; with one, what is due there after a position. The schedule writes its own
 * time with seconds only; elsewhere, times have milliseconds.
 */
export const SweepMessage = v.object({
  slot: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.transform((slot) => new Date(slot).toISOString()),
  ),
  shard: v.optional(v.number()),
  after: v.optional(v.string()),
});
export type SweepMessage = v.InferInput<typeof SweepMessage>;

/** An alert that the counter could not count, in the queue of work to be settled. `isNew`: it has just got an owner. */
export const UncountedMessage = v.object({ uncounted: v.number(), isNew: v.boolean() });
export type Uncounted = v.InferOutput<typeof UncountedMessage>;

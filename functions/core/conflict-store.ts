import { Refusal } from './errors.ts';
import { ConditionFailed, pause } from './table.ts';

/** How long work is tried again. */
export type Patience = {
  /** Default 8: more than ever meet at one row of ours, but for those that say so. */
  maxAttempts?: number;
  /** After so long no further attempt begins. Default: however long they take. */
  maxMilliseconds?: number;
  /** What is thrown in the end; default: the last conflict itself, so that a message is redelivered. */
  exhausted?: (conflict: ConditionFailed) => Error;
};

const usualAttempts = 8;
/** In the units of `pause`: the other writer is done within milliseconds. */
const longestPause = 3;

/** What a caller is told whose change met others' again and again. */
export const changedMeanwhile = (cause: ConditionFailed): Refusal =>
  new Refusal('changed_meanwhile', 'Send it again.', { cause });

/**
 * Does work again whose write failed its condition, as somebody else was faster. `work` reads anew each time, or learns from
 * `conflict`, what the attempt before met; whatever else it throws is thrown at once.
 */
export const retryOnConflict = async <T>(
  work: (conflict: ConditionFailed | undefined, attempt: number) => Promise<T>,
  { maxAttempts = usualAttempts, maxMilliseconds = Number.POSITIVE_INFINITY, exhausted }: Patience = {},
): Promise<T> => {
  const since = performance.now();
  let conflict: ConditionFailed | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(conflict, attempt);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (attempt >= maxAttempts || performance.now() - since > maxMilliseconds) throw exhausted?.(error) ?? error;
      conflict = error;
      await pause(Math.min(attempt, longestPause));
    }
  }
};

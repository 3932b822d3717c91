import { Refusal } from '../operation/errors.ts';
import { pause } from './pause-store.ts';
import { ConditionFailedError } from './table.ts';

/** The time during which work is retried. */
export type Patience = {
  /** Default 8: more than ever write to one row at the same time, unless a caller says otherwise. */
  maxAttempts?: number;
  /** No attempt begins once this much time has passed. Default: no limit. */
  maxMilliseconds?: number;
  /** Creates the error to throw after the last attempt; default: the last conflict itself, so that a message is redelivered. */
  onExhausted?: (conflict: ConditionFailedError) => Error;
};

const usualAttempts = 8;
/** In the units of `pause`: the other writer is done within milliseconds. */
const longestPause = 3;

/** The refusal of a change that kept conflicting with others. */
export const changedMeanwhile = (cause: ConditionFailedError): Refusal =>
  new Refusal('changed_meanwhile', 'Send it again.', { cause });

/**
 * Repeats work whose write failed its condition because another writer was faster. `work` reads again each time, or learns from
 * `conflict` what the previous attempt met; any other error it throws is thrown at once.
 */
export const retryOnConflict = async <T>(
  work: (conflict: ConditionFailedError | undefined, attempt: number) => Promise<T>,
  { maxAttempts = usualAttempts, maxMilliseconds = Number.POSITIVE_INFINITY, onExhausted }: Patience = {},
): Promise<T> => {
  const since = performance.now();
  let conflict: ConditionFailedError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(conflict, attempt);
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      if (attempt >= maxAttempts || performance.now() - since > maxMilliseconds) throw onExhausted?.(error) ?? error;
      conflict = error;
      await pause(Math.min(attempt, longestPause));
    }
  }
};

import { iso, milliseconds } from '#core/kernel/clock.ts';

/** The number of failures that a window allows; further attempts within it are refused unchecked. */
export const maxFailures = 5;
const windowMilliseconds = 15 * milliseconds.minute;

/**
 * The attempts to sign in with a username since the window began. An attempt is counted before its
 * password is compared, so that guesses made side by side cannot outrun the count.
 */
export type Attempts = { attempts: number; failures: number; windowEndsAt: string };

/** When a window that begins at this time (ISO) ends. */
export const windowEnd = (at: string): string => iso(Date.parse(at) + windowMilliseconds);

/** Why no further attempt may begin: five have failed, or that many are still being checked. */
export const signInRefusalOf = ({ failures }: Attempts): 'failed' | 'busy' =>
  failures >= maxFailures ? 'failed' : 'busy';

/** Seconds until the window ends, at least 1. `at` is ISO. */
export const retryAfterSeconds = ({ windowEndsAt }: Attempts, at: string): number =>
  Math.max(1, Math.ceil((Date.parse(windowEndsAt) - Date.parse(at)) / 1000));

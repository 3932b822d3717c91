import { sha256 } from '#core/kernel/crypto.ts';

/**
 * The longest time that a message waits in its queue. SQS would allow 15 minutes, but then a waiting message could not be distinguished
 * from one that is never received, which raises an alarm after 15.
 */
export const longestDelaySeconds = 600;

/** A redelivered backlog is spread over this time, so that it does not arrive all at once. */
const spreadSeconds = { least: 30, most: 300 } as const;

/** A random delay within that span: `seed` is any random text. */
export const spreadDelay = (seed: string): { delaySeconds: number } => {
  const { least, most } = spreadSeconds;
  const chance = Number.parseInt(sha256(seed).slice(0, 8), 16);
  return { delaySeconds: least + (chance % (most - least + 1)) };
};

/** Machines' clocks differ a little: a message that is early by no more than this is on time. */
const toleratedSeconds = 1;

const secondsUntil = (at: string, now: string): number => Math.ceil((Date.parse(at) - Date.parse(now)) / 1000);

/** Checks whether a message came before its time (ISO), so that it must be sent on. */
export const isEarly = (at: string, now: string): boolean => secondsUntil(at, now) > toleratedSeconds;

/** The delay of a message that must arrive at a time (ISO), or of a step towards it; none if the time has come. */
export const delayUntil = (at: string, now: string): { delaySeconds?: number } => {
  const seconds = secondsUntil(at, now);
  return seconds > 0 ? { delaySeconds: Math.min(longestDelaySeconds, seconds) } : {};
};

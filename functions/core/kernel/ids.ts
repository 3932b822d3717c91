import { randomBytes, randomInt } from 'node:crypto';
import { nowMilliseconds } from './clock.ts';

/** Where counting starts: far enough back that identifiers have 16 digits and begin with 1, as no card does, until 2033. */
const epoch = Date.UTC(2018, 0, 1);
const perMillisecond = 4096;
let lastMillisecond = 0;
/** Continues from one millisecond to the next, so that a clock that is set back does not draw the same numbers again. */
let lastSequence = randomInt(perMillisecond);

/**
 * A new identifier for an alert or a transaction: an integer under 2^53, ordered by time to the millisecond and
 * increasing within one process. Two processes may draw the same one in the same millisecond (1 in 4096), so it is
 * always written under the condition that it is new, and drawn again if it is not.
 */
export const newTimedId = (): number => {
  const milliseconds = nowMilliseconds();
  if (milliseconds > lastMillisecond || milliseconds < lastMillisecond - 1000) lastMillisecond = milliseconds;
  else if (lastSequence === perMillisecond - 1) lastMillisecond += 1;
  lastSequence = (lastSequence + 1) % perMillisecond;
  return (lastMillisecond - epoch) * perMillisecond + lastSequence;
};

/** The time, in milliseconds since 1970, at which an identifier was drawn. */
export const timeOfId = (id: number): number => Math.floor(id / perMillisecond) + epoch;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random text of Crockford's base 32 digits: 5 bits each. */
export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % 32] ?? '0').join('');

import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** A short random pause, longer with every attempt, so that writers that collided do not collide again. */
export const pause = (attempt: number): Promise<void> => wait(randomInt(10, 25 * 2 ** Math.min(attempt, 5)));

import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from './client.ts';

/** A condition of a story that must hold, or the demo fails with these words. */
export const hold = (condition: boolean, expectation: string): void => {
  if (!condition) throw new Error(`The demo expected that ${expectation}.`);
};

const pollMilliseconds = 20;
/** Long enough for a slow machine. */
const maxWorkSeconds = 300;

/** Waits until the service has nothing left to do. */
export const untilIdle = async (client: Client): Promise<void> => {
  for (const limit = performance.now() + maxWorkSeconds * 1000; performance.now() < limit; ) {
    if ((await client.status()).idle) return;
    await wait(pollMilliseconds);
  }
  throw new Error(`The demo expected the service to finish its work within ${maxWorkSeconds} s.`);
};

export const clockText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

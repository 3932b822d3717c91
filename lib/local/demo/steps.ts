import { setTimeout as wait } from 'node:timers/promises';
import { milliseconds } from '#core/kernel/clock.ts';
import type { Client } from './client.ts';

/** A condition of a story that must hold, or the demo fails with these words. */
export const hold = (condition: boolean, expectation: string): void => {
  if (!condition) throw new Error(`The demo expected that ${expectation}.`);
};

const pollMilliseconds = 20;
/** The interval at which a long wait is explained. */
const noticeMilliseconds = 10 * milliseconds.second;

const explain = (seconds: number): void =>
  void process.stderr.write(
    `Waiting for the service to finish its work, for ${seconds} s now: this machine is busy.\n`,
  );

/** Waits until the service has no work left, and explains long waits. `now`: milliseconds. */
export const untilIdle = async (
  client: Pick<Client, 'status'>,
  { now = () => performance.now(), notify = explain } = {},
): Promise<void> => {
  const since = now();
  let notices = 0;
  while (!(await client.status()).idle) {
    const waited = now() - since;
    if (waited >= (notices + 1) * noticeMilliseconds) {
      notices += 1;
      notify(Math.round(waited / milliseconds.second));
    }
    await wait(pollMilliseconds);
  }
};

/** The time (ISO) of the stack. */
export const stackTime = async ({ client }: { client: Pick<Client, 'status'> }): Promise<string> =>
  (await client.status()).now;

export const clockText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

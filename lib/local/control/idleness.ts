import { setTimeout as wait } from 'node:timers/promises';
import type { Queues } from '../aws/queues.ts';
import type { EventSources } from '../events/event-sources.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';

export type IdlenessParts = {
  runner: FunctionRunner;
  queues: Queues;
  sources: () => EventSources;
  /** Returns the number of requests that have reached the gateway so far. */
  requests: () => number;
};

export type Idleness = {
  /**
   * Settles when no function runs, the streams are read to their end and no message waits that could be taken. While requests
   * keep coming there is no such moment: then it settles when what was there at the call, what that caused, and so on for
   * eight hops, has been worked off. `isHurried`: whether to be content with a hop.
   */
  untilIdle(isHurried?: () => boolean): Promise<void>;
  /** True if it is so now. */
  isIdle(): Promise<boolean>;
};

/** More hops than any alert or payment takes at one instant. */
const maxHops = 8;

/** Knows when everything that was begun has been worked off. */
export const createIdleness = (parts: IdlenessParts): Idleness => {
  const { runner, queues, sources, requests } = parts;
  const isQuiet = () => runner.running() === 0 && sources().queues.every((source) => source.isQuiet());
  const activity = () => runner.countStarted() + queues.countSent();
  const catchUp = () => Promise.all(sources().streams.map((stream) => stream.catchUp()));
  const areRead = () => sources().streams.every((stream) => stream.isQuiet());
  return {
    untilIdle: async (isHurried = () => false) => {
      for (let hops = 0; hops < maxHops && !(hops > 0 && isHurried()); ) {
        const asked = requests();
        await passHop(parts);
        const before = activity();
        if (isQuiet()) await passStreams(parts);
        // A stream's records may have started new work.
        if (isQuiet() && areRead() && activity() === before) return;
        if (requests() > asked) hops += 1;
      }
    },
    isIdle: async () => {
      if (!isQuiet()) return false;
      const before = activity();
      // A stream that keeps failing does not catch up soon, and is not idle.
      const hasCaughtUp = await Promise.race([catchUp().then(() => true), wait(500, false)]);
      return hasCaughtUp && isQuiet() && activity() === before;
    },
  };
};

/** Waits for the end of everything that has been begun by now, but for what it causes. */
const passHop = async (parts: IdlenessParts): Promise<void> => {
  const { runner, queues, sources } = parts;
  const newest = queues.newest();
  await runner.whenSettled();
  await Promise.all([passStreams(parts), ...sources().queues.map((queue) => queue.whenPassed(newest))]);
};

const passStreams = async ({ sources }: IdlenessParts): Promise<void> => {
  await Promise.all(sources().streams.map((stream) => stream.whenPassed()));
};

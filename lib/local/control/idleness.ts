import { setTimeout as wait } from 'node:timers/promises';
import type { Queues } from '../aws/queues.ts';
import type { EventSources } from '../events/event-sources.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';

export type IdlenessParts = { runner: FunctionRunner; queues: Queues; sources: () => EventSources };

export type Idleness = {
  /** Settles when no function runs, the streams are read to their end and no message waits that could be taken. */
  untilIdle(): Promise<void>;
  /** Whether it is so now. */
  isIdle(): Promise<boolean>;
};

/** Knows when everything that was begun has been worked off. */
export const createIdleness = (parts: IdlenessParts): Idleness => {
  const { runner, queues, sources } = parts;
  const isQuiet = () => runner.running() === 0 && sources().queues.every((source) => source.isQuiet());
  const activity = () => runner.started() + queues.sent();
  const catchUp = () => Promise.all(sources().streams.map((stream) => stream.catchUp()));
  return {
    untilIdle: async () => {
      for (;;) {
        await untilQuiet(parts, isQuiet);
        const before = activity();
        await catchUp();
        // What a stream brought may have begun something new.
        if (isQuiet() && activity() === before) return;
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

/** Waits for the end of an invocation as often as it takes. */
const untilQuiet = async ({ runner, sources }: IdlenessParts, isQuiet: () => boolean): Promise<void> => {
  while (!isQuiet()) {
    for (const source of sources().queues) source.wake();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, 20);
    const onEnd = () => setImmediate(resolve);
    runner.ends.on('end', onEnd);
    await promise;
    runner.ends.off('end', onEnd);
    clearTimeout(timer);
  }
};

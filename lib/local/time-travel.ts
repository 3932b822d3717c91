import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { EventSources } from './event-sources.ts';
import type { FunctionRunner } from './function-runner.ts';
import { messageOf } from './plain-error.ts';
import type { Queues } from './queues.ts';
import type { Firing, Schedules } from './schedules.ts';
import type { Tables } from './tables.ts';

export type TimeParts = {
  clock: Clock;
  schedules: Schedules;
  queues: Queues;
  tables: Tables;
  runner: FunctionRunner;
  sources: () => EventSources;
  onFire: (firing: Firing) => void;
  report: (sentence: string) => void;
};

/** Time in the local stack: it passes by itself, and can be moved on. */
export type TimeTravel = {
  /**
   * Moves the clock to an instant; on the way, each schedule that falls due and each message that becomes visible has its
   * moment, at which everything it causes is worked off. Settles when the stack is idle.
   */
  moveTo(milliseconds: number): Promise<void>;
  /** Settles when no function runs, the streams are read to their end and no message waits that could be taken. */
  untilIdle(): Promise<void>;
  /** Whether the stack is idle now. */
  isIdle(): Promise<boolean>;
  /** Runs work that nothing else of this kind may run beside. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

const tickMilliseconds = 200;
const expiryMilliseconds = 600_000;

/** Starts the stack's time. What fell due while the stack was off fires now, in its order. */
export const startTime = (parts: TimeParts): TimeTravel => {
  const { clock, schedules, queues, sources } = parts;
  const lock = createLock();
  let expiredAt = Number.NEGATIVE_INFINITY;

  const isQuiet = () => parts.runner.running() === 0 && sources().queues.every((source) => source.isQuiet());
  const activity = () => parts.runner.started() + queues.sent();
  const untilIdle = async () => {
    for (;;) {
      await untilQuiet(parts, isQuiet);
      const before = activity();
      for (const stream of sources().streams) await stream.catchUp();
      if (isQuiet() && activity() === before) return;
    }
  };
  const wakeQueues = () => {
    for (const source of sources().queues) source.wake();
  };
  /** Fires what is due now, one after the other, each drained before the next. */
  const fireDue = async () => {
    for (let fired = schedules.fireNext(); fired; fired = schedules.fireNext()) {
      parts.onFire(fired);
      await untilIdle();
    }
  };
  const nextMoment = () => {
    const moments = [schedules.nextAt(), ...sources().queueNames.map((name) => nextVisible(queues, name))];
    return Math.min(...moments.map((moment) => moment ?? Number.POSITIVE_INFINITY));
  };
  const expire = async () => {
    if (clock.now() - expiredAt < expiryMilliseconds) return;
    expiredAt = clock.now();
    await parts.tables.expire();
  };
  const moveTo = async (target: number) => {
    await untilIdle();
    for (let moment = nextMoment(); moment <= target; moment = nextMoment()) {
      clock.moveTo(moment);
      wakeQueues();
      await fireDue();
      await untilIdle();
    }
    clock.moveTo(target);
    await expire();
    await untilIdle();
  };
  const timer = setInterval(() => {
    wakeQueues();
    if (lock.isHeld()) return;
    lock
      .run(async () => {
        await fireDue();
        await expire();
      })
      .catch((error: unknown) => parts.report(`The schedules stand still: ${messageOf(error)}`));
  }, tickMilliseconds);
  return {
    untilIdle,
    isIdle: async () => {
      if (lock.isHeld() || !isQuiet()) return false;
      const before = activity();
      // A stream that keeps failing does not catch up soon, and is not idle.
      const caughtUp = Promise.all(sources().streams.map((stream) => stream.catchUp())).then(() => true);
      if (!(await Promise.race([caughtUp, wait(500, false)]))) return false;
      return isQuiet() && activity() === before;
    },
    moveTo: (milliseconds) => lock.run(() => moveTo(milliseconds)),
    alone: lock.run,
    stop: async () => {
      clearInterval(timer);
      await lock.run(async () => undefined);
    },
  };
};

const nextVisible = (queues: Queues, name: string): number | undefined => {
  const queue = queues.find(name);
  return queue && queues.nextVisibleAt(queue);
};

/** Waits for the end of an invocation as often as it takes. */
const untilQuiet = async ({ runner, sources }: TimeParts, isQuiet: () => boolean): Promise<void> => {
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

const createLock = () => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    waiting += 1;
    const result = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = result.catch(() => undefined);
    return result;
  };
  return { run, isHeld: () => waiting > 0 };
};

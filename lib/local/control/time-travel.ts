import type { Queues } from '../aws/queues.ts';
import type { Firing, Schedules } from '../aws/schedules.ts';
import type { Tables } from '../aws/tables.ts';
import type { Clock } from '../clock.ts';
import type { EventSources } from '../events/event-sources.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';
import { errorText } from '../user-error.ts';
import { createIdleness } from './idleness.ts';
import type { Entrance } from './request-entrance.ts';

export type TimeParts = {
  clock: Clock;
  schedules: Schedules;
  queues: Queues;
  tables: Tables;
  runner: FunctionRunner;
  sources: () => EventSources;
  entrance: Pick<Entrance, 'requests' | 'slowDuring'>;
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
  /** True if the stack is idle now. */
  isIdle(): Promise<boolean>;
  /** Runs work that may not overlap with other work of this kind. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

const tickMilliseconds = 200;
const expiryMilliseconds = 600_000;

/** Starts the stack's time. What fell due while the stack was off fires now, in its order. */
export const startTime = (parts: TimeParts): TimeTravel => {
  const { clock } = parts;
  const lock = createLock();
  const { requests, slowDuring } = parts.entrance;
  const idleness = createIdleness({ ...parts, requests });
  const expire = createExpiry(parts);
  /** Fires what is due now, one after the other, each drained before the next. */
  const fireDue = async (isHurried?: () => boolean) => {
    for (let fired = parts.schedules.fireNext(); fired; fired = parts.schedules.fireNext()) {
      parts.onFire(fired);
      await idleness.untilIdle(isHurried);
    }
  };
  const moveTo = async (target: number) => {
    await idleness.untilIdle();
    const stepOf = makePace(parts, target);
    for (let moment = nextMoment(parts); moment <= target; moment = nextMoment(parts)) {
      clock.stepTo(stepOf(moment));
      wakeQueues(parts);
      await fireDue();
      await idleness.untilIdle();
    }
    clock.moveTo(target);
    await expire();
    await idleness.untilIdle();
  };
  // The one waiting for the lock works everything off.
  const pass = () => fireDue(lock.isWaitedFor).then(expire);
  const timer = setInterval(() => {
    try {
      wakeQueues(parts);
    } catch (error) {
      // What a timer throws would end the process, for example while the disk is full.
      parts.report(`The queues stand still: ${errorText(error)}`);
    }
    if (lock.isHeld()) return;
    lock.run(pass).catch((error: unknown) => parts.report(`The schedules stand still: ${errorText(error)}`));
  }, tickMilliseconds);
  return {
    untilIdle: () => idleness.untilIdle(),
    isIdle: async () => !lock.isHeld() && (await idleness.isIdle()),
    moveTo: (milliseconds) => lock.run(() => slowDuring(() => moveTo(milliseconds))),
    alone: lock.run,
    stop: async () => {
      clearInterval(timer);
      await lock.run(async () => undefined);
    },
  };
};

/** The most stops on the way of a move while requests keep coming, each of which may add moments to stop at. */
const maxStops = 48;

/** Where to stop for the next moment: at that moment; further on, if there would be no end of moments. */
const makePace = ({ clock, entrance: { requests } }: TimeParts, target: number): ((moment: number) => number) => {
  const [begun, asked] = [clock.now(), requests()];
  const minStep = (target - begun) / maxStops;
  return (moment) =>
    requests() > asked ? Math.min(target, Math.max(moment, Math.ceil(clock.now() + minStep))) : moment;
};

const wakeQueues = ({ sources }: TimeParts): void => {
  for (const source of sources().queues) source.wake();
};

/** When the next schedule falls due or the next message that feeds a function becomes visible. */
const nextMoment = ({ schedules, queues, sources }: TimeParts): number => {
  const hidden = sources().queueNames.map((name) => {
    const queue = queues.find(name);
    return queue && queues.nextVisibleAt(queue);
  });
  return Math.min(...[schedules.nextAt(), ...hidden].map((moment) => moment ?? Number.POSITIVE_INFINITY));
};

/** Sweeps what has outlived its time to live, now and then; DynamoDB does not promise more. */
const createExpiry = ({ clock, tables }: TimeParts): (() => Promise<void>) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const since = clock.now() - sweptAt;
    // The clock has gone back when the stack has begun again.
    if (since >= 0 && since < expiryMilliseconds) return;
    sweptAt = clock.now();
    await tables.expire();
  };
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
  return { run, isHeld: () => waiting > 0, isWaitedFor: () => waiting > 1 };
};

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';
import { failedIn } from '#lib/local/events/batch-failures.ts';
import type { Faults } from './faults.ts';
import { type Random, seedRandom } from './random.ts';
import { stir, type Timeline } from './timeline.ts';

/** One run of a function, from its start until it answers, dies or takes too long. */
export type Invocation = {
  readonly name: string;
  /** The function's name and which of its runs this is: the place of whatever goes wrong in it. */
  readonly place: string;
  readonly random: Random;
  /** The offset (ms) of its machine's clock. */
  readonly skew: number;
  /** True if it is over: nothing goes on in it any more. */
  isOver: boolean;
  /** Its early end; undefined: there was none. */
  cut: 'killed' | 'timed out' | undefined;
  calls: number;
  /** The number of faults that its calls met. */
  faults: number;
  /** The number of times a single write of it met a transaction: after too many, it stops. */
  conflicts: number;
  readonly kill: () => void;
};

export type Ended<T> = { kind: 'done'; value: T } | { kind: 'failed'; error: unknown } | { kind: 'cut' };
export type Handler<E, T> = (event: E, context: Context) => Promise<T>;

const running = new AsyncLocalStorage<Invocation>();
/** The run that asks; undefined outside of functions. */
export const currentRun = (): Invocation | undefined => running.getStore();
/** Goes on in a run, unless that is over. */
export const within = (invocation: Invocation | undefined, work: () => void): void => {
  stir();
  if (!invocation) work();
  else if (!invocation.isOver) running.run(invocation, work);
};

type Means = {
  seed: number;
  timeline: Timeline;
  faults: Faults;
  /** The most (ms) by which a machine's clock can be off. */
  maxSkew: number;
  /** Called with each error that a function ended with. */
  onError: (place: string, error: unknown) => void;
  note: (line: string) => void;
};

/** Runs functions as Lambda does: any number side by side, each until its time-out. */
export class Lambda {
  private readonly runs = new Map<string, number>();
  private readonly means: Means;

  constructor(means: Means) {
    this.means = means;
  }

  invoke<E, T>(
    { name, timeoutSeconds, isMortal = true }: { name: string; timeoutSeconds: number; isMortal?: boolean },
    handler: Handler<E, T>,
    event: E,
    ended: (end: Ended<T>) => void,
  ): void {
    const { seed, timeline, faults, maxSkew, onError, note } = this.means;
    const number = (this.runs.get(name) ?? 0) + 1;
    this.runs.set(name, number);
    const place = `${name}#${number}`;
    const random = seedRandom(seed, place);
    const skew = faults.strikes('clock skewed', place, random) ? Math.round((random.next() * 2 - 1) * maxSkew) : 0;
    const cut = (how: 'killed' | 'timed out') => {
      if (invocation.isOver) return;
      invocation.isOver = true;
      invocation.cut = how;
      note(`${how.toUpperCase()} ${place}`);
      timeline.after(1, () => ended({ kind: 'cut' }));
    };
    const invocation: Invocation = {
      name,
      place,
      random,
      skew,
      isOver: false,
      cut: undefined,
      calls: 0,
      faults: 0,
      conflicts: 0,
      kill: () => {
        if (isMortal) cut('killed');
      },
    };
    const finish = (end: Ended<T>) => {
      if (invocation.isOver) return;
      invocation.isOver = true;
      timeline.after(1 + random.next(), () => ended(end));
    };
    timeline.after(1 + random.next() * 8, () => {
      timeline.after(timeoutSeconds * 1000, () => cut('timed out'));
      const deadline = timeline.now + timeoutSeconds * 1000;
      stir();
      running.run(invocation, () => {
        const context = makeContext(name, place, () => Math.max(0, deadline - timeline.now));
        Promise.resolve()
          .then(() => handler(event, context))
          .then(
            (value) => finish({ kind: 'done', value }),
            (error: unknown) => {
              if (!invocation.isOver) onError(place, error);
              finish({ kind: 'failed', error });
            },
          );
      });
    });
  }
}

/** The records of a batch that a run failed, as Lambda reads its end. */
export const failedAt = (ended: Ended<unknown>, identifiers: readonly string[]): 'all' | ReadonlySet<string> =>
  ended.kind === 'done' ? failedIn({ result: ended.value, error: undefined }, true, identifiers) : 'all';

const makeContext = (functionName: string, awsRequestId: string, getRemainingTimeInMillis: () => number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName,
  functionVersion: '1',
  invokedFunctionArn: `arn:aws:lambda:eu-west-1:000000000000:function:${functionName}`,
  memoryLimitInMB: '256',
  awsRequestId,
  logGroupName: '',
  logStreamName: '',
  getRemainingTimeInMillis,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});

import { Worker } from 'node:worker_threads';
import type { Asked } from './history.ts';
import type { Done, Found, Work, WorkerOptions } from './worker.ts';

const perShare = 20;

/** A history leaves much behind: with the usual few megabytes, most of it is moved about before it is found to be garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

function* inShares(histories: Iterable<Asked>): Generator<readonly Asked[], undefined> {
  let share: Asked[] = [];
  for (const one of histories) {
    share.push(one);
    if (share.length < perShare) continue;
    yield share;
    share = [];
  }
  if (share.length > 0) yield share;
}

/** Tells histories on several workers, a share at a time; `onFound` gets each share's, whichever is done first. */
export const tellAll = (
  histories: Iterable<Asked>,
  workers: number,
  onFound: (found: readonly Found[]) => void,
  workerData: WorkerOptions = { isMeasured: false },
): Promise<void> => {
  const shares = inShares(histories);
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('worker.ts', import.meta.url), { resourceLimits, workerData });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with ${code}`))));
      worker.on('message', (done: Done) => {
        if (done) onFound(done.found);
        const { value: share, done: areAllTold } = shares.next();
        if (!areAllTold) worker.postMessage({ histories: share } satisfies Work);
        else {
          resolve();
          void worker.terminate();
        }
      });
    });
  return Promise.all(Array.from({ length: workers }, one)).then(() => undefined);
};

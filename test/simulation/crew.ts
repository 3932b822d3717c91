import { Worker } from 'node:worker_threads';
import type { Asked } from './history.ts';
import type { Done, Found, Work } from './worker.ts';

const perShare = 20;

/** A history leaves much behind: with the usual few megabytes, most of it is moved about before it is found to be garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

/** Tells histories on several workers, a share at a time; `onFound` gets each share's, whichever is done first. */
export const tellAll = (
  histories: readonly Asked[],
  workers: number,
  onFound: (found: readonly Found[]) => void,
): Promise<void> => {
  const shares = Array.from({ length: Math.ceil(histories.length / perShare) }, (_, share) =>
    histories.slice(share * perShare, (share + 1) * perShare),
  );
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('worker.ts', import.meta.url), { resourceLimits });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with ${code}`))));
      worker.on('message', (done: Done) => {
        if (done) onFound(done.found);
        const share = shares.shift();
        if (share) worker.postMessage({ histories: share } satisfies Work);
        else {
          resolve();
          void worker.terminate();
        }
      });
    });
  return Promise.all(Array.from({ length: Math.min(workers, shares.length) }, one)).then(() => undefined);
};

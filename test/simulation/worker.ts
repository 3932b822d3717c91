import { parentPort, workerData } from 'node:worker_threads';
import { type Asked, tell } from './history.ts';
import type { ProfileName } from './profiles.ts';
import { stage } from './ready.ts';
import { ReachedCode, type ReachedFunction, ReachMeter } from './unreached-code.ts';

/** The task of a worker: the histories of some seeds, each in its profile. */
export type Work = { histories: readonly Asked[] };
/** `isMeasured`: the code that each history reaches is measured, which makes it a third slower. */
export type WorkerOptions = { isMeasured: boolean };
export type Found = {
  seed: number;
  profile: ProfileName;
  digest: string;
  violations: { invariant: string; details: string }[];
  struck: Record<string, number>;
  /** Where it is measured: code that the worker's histories had not reached before. */
  reached?: readonly ReachedFunction[];
};
/** The answer of a worker; `undefined`: it is ready to begin. */
export type Done = { found: Found[] } | undefined;

const countFaults = (struck: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of struck) {
    const [fault = ''] = name.split(' @ ');
    counts[fault] = (counts[fault] ?? 0) + 1;
  }
  return counts;
};

const meter = (workerData as WorkerOptions | null)?.isMeasured ? new ReachMeter() : undefined;
const reached = new ReachedCode();

parentPort?.on('message', async ({ histories }: Work) => {
  const found: Found[] = [];
  for (const asked of histories) {
    const { seed, profile, digest, violations, struck } = await tell(asked, stage);
    const one = { seed, profile, digest, violations, struck: countFaults(struck) };
    found.push(meter ? { ...one, reached: reached.add(meter.take()) } : one);
  }
  parentPort?.postMessage({ found } satisfies Done);
});
parentPort?.postMessage(undefined);

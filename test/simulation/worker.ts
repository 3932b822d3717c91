import { parentPort } from 'node:worker_threads';
import { type Asked, tell } from './history.ts';
import type { ProfileName } from './profiles.ts';
import { stage } from './ready.ts';

/** The task of a worker: the histories of some seeds, each in its profile. */
export type Work = { histories: readonly Asked[] };
export type Found = {
  seed: number;
  profile: ProfileName;
  digest: string;
  violations: { invariant: string; details: string }[];
  struck: Record<string, number>;
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

parentPort?.on('message', async ({ histories }: Work) => {
  const found: Found[] = [];
  for (const asked of histories) {
    const { seed, profile, digest, violations, struck } = await tell(asked, stage);
    found.push({ seed, profile, digest, violations, struck: countFaults(struck) });
  }
  parentPort?.postMessage({ found } satisfies Done);
});
parentPort?.postMessage(undefined);

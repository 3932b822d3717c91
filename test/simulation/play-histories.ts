import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Found } from './worker.ts';

/** Histories run in processes of their own: they replace clock, chance, log and network of the process they are in. */
export const runSimulation = (...given: readonly string[]): Promise<string> => {
  const script = new URL('simulate.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return text(child.stdout);
};

/** `workers`: in so many processes at a time. */
export const playHistories = async (workers: number, ...given: readonly string[]): Promise<Found[]> =>
  JSON.parse(await runSimulation('--json', '--workers', String(workers), ...given)) as Found[];

export const describeViolations = (found: readonly Found[]): string[] =>
  found.flatMap(({ seed, profile, violations }) =>
    violations.map(
      ({ invariant, details }) => `npm run simulate -- --seed ${seed} --profile ${profile}: ${invariant}: ${details}`,
    ),
  );

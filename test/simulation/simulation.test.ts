import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** Histories run in processes of their own: they replace clock, chance, log and network of the process they are in. */
const simulate = async (...given: readonly string[]): Promise<Found[]> => {
  const script = new URL('simulate.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, '--json', '--workers', '1', ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Found[];
};

const broken = (found: readonly Found[]): string[] =>
  found.flatMap(({ seed, profile, violations }) =>
    violations.map(({ invariant, details }) => `--seed ${seed} --profile ${profile}: ${invariant}: ${details}`),
  );

describe('the service, under every fault', () => {
  let found: readonly Found[] = [];
  // In one process for all: loading the service takes as long as dozens of histories.
  beforeAll(async () => {
    found = await simulate('--seeds', '200', '--each');
  }, 900_000);

  it.each(profileNames)('keeps every promise in 200 histories of profile %s', (profile) => {
    const own = found.filter((one) => one.profile === profile);
    expect(broken(own)).toEqual([]);
    expect(own).toHaveLength(200);
  });
});

describe('a history', () => {
  it('goes the same way alone and after others', async () => {
    const inBatch = await simulate('--from', '300', '--seeds', '6', '--profile', 'all');
    const alone = await simulate('--from', '305', '--seeds', '1', '--profile', 'all');
    expect(alone.map(({ digest }) => digest)).toEqual(inBatch.slice(5).map(({ digest }) => digest));
    expect(new Set(inBatch.map(({ digest }) => digest)).size).toBe(6);
  });
});

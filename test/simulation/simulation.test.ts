import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** Histories run in processes of their own: they replace clock, chance, log and network of the process they are in. */
const said = (...given: readonly string[]): Promise<string> => {
  const script = new URL('simulate.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
};

const simulate = async (...given: readonly string[]): Promise<Found[]> =>
  JSON.parse(await said('--json', '--workers', '1', ...given)) as Found[];

const broken = (found: readonly Found[]): string[] =>
  found.flatMap(({ seed, profile, violations }) =>
    violations.map(({ invariant, details }) => `--seed ${seed} --profile ${profile}: ${invariant}: ${details}`),
  );

let found: readonly Found[] = [];
// In one process for all: loading the service takes as long as dozens of histories.
beforeAll(async () => {
  found = await simulate('--seeds', '200', '--each');
}, 900_000);

describe('the service, under every fault', () => {
  it.each(profileNames)('keeps every promise in 200 histories of profile %s', (profile) => {
    const own = found.filter((one) => one.profile === profile);
    expect(broken(own)).toEqual([]);
    expect(own).toHaveLength(200);
  });
});

describe('a history', () => {
  it('goes the same way in another process and in other company', async () => {
    const again = await simulate('--from', '197', '--seeds', '3', '--each');
    expect(again).toHaveLength(3 * profileNames.length);
    const digests = new Map(found.map(({ profile, seed, digest }) => [`${profile} ${seed}`, digest]));
    for (const { profile, seed, digest } of again) {
      expect(`${profile} ${seed}: ${digest}`).toBe(`${profile} ${seed}: ${digests.get(`${profile} ${seed}`)}`);
    }
    // Histories differ; some have so little in them that two profiles make the same of them.
    expect(new Set(digests.values()).size).toBeGreaterThan(200);
  });

  it('goes the same way when it is told alone, line by line', async () => {
    const [seed, profile] = [12, 'all'];
    const digest = found.find((one) => one.seed === seed && one.profile === profile)?.digest;
    expect(await said('--seed', String(seed), '--profile', profile)).toContain(`digest ${digest}\n`);
  });
});

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** Histories run in processes of their own: they replace clock, chance, log and network of the process they are in. */
const runSimulation = (...given: readonly string[]): Promise<string> => {
  const script = new URL('simulate.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return text(child.stdout);
};

const simulate = async (...given: readonly string[]): Promise<Found[]> =>
  JSON.parse(await runSimulation('--json', '--workers', '2', ...given)) as Found[];

const violationsOf = (found: readonly Found[]): string[] =>
  found.flatMap(({ seed, profile, violations }) =>
    violations.map(
      ({ invariant, details }) => `npm run simulate -- --seed ${seed} --profile ${profile}: ${invariant}: ${details}`,
    ),
  );

/** Seeds that no run has played before, or those of a run that is repeated. */
const fresh = Number(process.env['FOREWARN_FRESH_SEED'] ?? randomInt(1_000_000, 2 ** 31));

let found: readonly Found[] = [];
let foundFresh: readonly Found[] = [];
let foundOfCorpus: readonly Found[] = [];
// In two processes at a time: loading the service takes as long as dozens of histories, and there are two cores at least.
beforeAll(async () => {
  found = await simulate('--seeds', '35', '--each');
  foundFresh = await simulate('--seeds', '10', '--each', '--from', String(fresh));
  foundOfCorpus = await simulate('--corpus');
}, 900_000);

describe('the service, under every fault', () => {
  it.each(profileNames)('keeps every promise in 35 histories of profile %s', (profile) => {
    const own = found.filter((one) => one.profile === profile);
    expect(violationsOf(own)).toEqual([]);
    expect(own).toHaveLength(35);
  });

  it(`keeps every promise in histories of 10 fresh seeds; to repeat them: FOREWARN_FRESH_SEED=${fresh}`, () => {
    expect(violationsOf(foundFresh)).toEqual([]);
    expect(foundFresh).toHaveLength(10 * profileNames.length);
  });

  it('keeps every promise in the histories of the corpus', () => {
    expect(violationsOf(foundOfCorpus)).toEqual([]);
  });
});

describe('a history', () => {
  it('goes the same way in another process, alone and after others, told line by line or not', async () => {
    const digests = new Map(found.map(({ profile, seed, digest }) => [`${profile} ${seed}`, digest]));
    const told = await runSimulation('--seed', '34', '--each');
    const again = [...told.matchAll(/^seed 34, profile (\w+), digest (\w+)$/gm)].map(([, ...words]) => words.join(' '));
    expect(again).toEqual(profileNames.map((profile) => `${profile} ${digests.get(`${profile} 34`)}`));
    // Histories differ; some have so little in them that two profiles make the same of them.
    expect(new Set(digests.values()).size).toBeGreaterThan(100);
  });
});

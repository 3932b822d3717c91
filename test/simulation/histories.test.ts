import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeViolations, playHistories, runSimulation } from './play-histories.ts';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** Seeds that no run has played before, or those of a run that is repeated. */
const fresh = Number(process.env['FOREWARN_FRESH_SEED'] ?? randomInt(1_000_000, 2 ** 31));

let found: readonly Found[] = [];
let foundFresh: readonly Found[] = [];
let foundOfCorpus: readonly Found[] = [];
beforeAll(async () => {
  found = await playHistories(2, '--seeds', '35', '--each');
  foundFresh = await playHistories(2, '--seeds', '10', '--each', '--from', String(fresh));
  foundOfCorpus = await playHistories(2, '--corpus');
}, 900_000);

describe('the service, under every fault', () => {
  it.each(profileNames)('keeps every promise in 35 histories of profile %s', (profile) => {
    const own = found.filter((one) => one.profile === profile);
    expect(describeViolations(own)).toEqual([]);
    expect(own).toHaveLength(35);
  });

  it(`keeps every promise in histories of 10 fresh seeds; to repeat them: FOREWARN_FRESH_SEED=${fresh}`, () => {
    expect(describeViolations(foundFresh)).toEqual([]);
    expect(foundFresh).toHaveLength(10 * profileNames.length);
  });

  it('keeps every promise in the histories of the corpus', () => {
    expect(describeViolations(foundOfCorpus)).toEqual([]);
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

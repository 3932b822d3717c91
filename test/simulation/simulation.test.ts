import { beforeAll, expect, it } from 'vitest';
import { describeViolations, playHistories } from './play-histories.ts';
import { profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

/** A few histories of each profile, in one process, as loading the service takes as long as most of them; `histories.test.ts` plays more. */
const seeds = 5;

let found: readonly Found[] = [];
beforeAll(async () => {
  found = await playHistories(1, '--seeds', String(seeds), '--each');
}, 900_000);

it.each(profileNames)(`the service keeps every promise in ${seeds} histories of profile %s`, (profile) => {
  const own = found.filter((one) => one.profile === profile);
  expect(describeViolations(own)).toEqual([]);
  expect(own).toHaveLength(seeds);
});

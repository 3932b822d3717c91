import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createDigests, filesUnder } from '#lib/local/build/digests.ts';

/** A run that is under way uses what it found at its start. */
const inUseMilliseconds = 3_600_000;

/**
 * The folder of the demo tenant and its past as the sources make them now: the first stacks that want them put them there, in
 * this run or in an earlier one. Those of other sources are removed.
 */
export const openKeptDemos = (): string => {
  const { root, of } = createDigests();
  const home = join(root, 'dist', 'local', 'demos');
  const sources = ['functions', 'lib', 'test/support'].flatMap((folder) => filesUnder(root, folder));
  const folder = join(home, of(sources, 'demos'));
  mkdirSync(folder, { recursive: true });
  const now = new Date();
  utimesSync(folder, now, now);
  for (const other of readdirSync(home).map((name) => join(home, name))) {
    const isOld = now.getTime() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > inUseMilliseconds;
    if (other !== folder && isOld) rmSync(other, { recursive: true, force: true });
  }
  return folder;
};

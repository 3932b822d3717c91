import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files in memory, on Linux. */
const memory = '/dev/shm';
const prefix = 'forewarn-tests-';
const wantedBytes = 2 ** 30;

/**
 * Where a run of tests keeps its temporary files: in memory, where there is enough, because the emulator waits for the disk after
 * each write and nothing of a test outlives its run. Else in the usual place.
 */
export const openScratchFolder = (): string => {
  const home = hasRoom() ? memory : tmpdir();
  removeLeftovers(home);
  const folder = folderIn(home);
  mkdirSync(folder, { recursive: true });
  return folder;
};

export const removeScratchFolder = (): void => {
  for (const home of [memory, tmpdir()]) rmSync(folderIn(home), { recursive: true, force: true });
};

const folderIn = (home: string): string => join(home, `${prefix}${process.pid}`);

const hasRoom = (): boolean => {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= wantedBytes;
};

/** Of runs that were killed. */
const removeLeftovers = (home: string): void => {
  for (const name of readdirSync(home).filter((one) => one.startsWith(prefix))) {
    if (!existsSync(`/proc/${name.slice(prefix.length)}`)) rmSync(join(home, name), { recursive: true, force: true });
  }
};

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { codeIn } from '../user-error.ts';
import type { Digests } from './digests.ts';

const Manifest = v.object({ sources: v.array(v.string()), note: v.unknown() });

/** One build of a thing, good for as long as its sources are as they were. */
export type Version = {
  /** Names the sources' content. */
  key: string;
  /** Where it lies. */
  folder: string;
  /** The files it was made from, by their paths in the project. */
  sources: readonly string[];
  /** The data that its builder stored. */
  note: unknown;
};

export type Versions = {
  /** The one that was built from the sources as they are now. */
  find(): Version | undefined;
  /** Checks whether a version's sources are still what they were. */
  isCurrent(version: Version): boolean;
  /** Builds one: `make` fills the folder and says from what. */
  add(make: (folder: string) => Promise<Pick<Version, 'sources' | 'note'>>): Promise<Version>;
};

const keptVersions = 4;
/** A process that has taken a version says every few minutes that it is in use: parts of it are read as they are first wanted. */
const inUseMilliseconds = 3_600_000;
const heartbeatMilliseconds = 300_000;
let counter = 0;

/**
 * Keeps the builds of one thing in a folder of its own, `<key>/content` each. Safe with other processes that do the same. `words`: what
 * else than its sources decides how it is built.
 */
export const createVersions = (home: string, digests: Digests, ...words: readonly string[]): Versions => {
  const keyOf = (sources: readonly string[]) => digests.of(sources, ...words);
  const isCurrent = ({ key, sources }: Version) => keyOf(sources) === key;
  return {
    isCurrent,
    find: () => {
      const found = namesIn(home)
        .map((key) => readManifest(home, key))
        .find((version) => version !== undefined && isCurrent(version));
      if (found) hold(join(home, found.key));
      return found;
    },
    add: async (make) => {
      const begun = Date.now();
      counter += 1;
      const workshop = join(home, `unfinished-${process.pid}-${counter}`);
      const content = join(workshop, 'content');
      await mkdir(content, { recursive: true });
      const { sources, note } = await make(content).catch(async (error: unknown) => {
        await rm(workshop, { recursive: true, force: true });
        throw error;
      });
      await writeFile(join(workshop, 'manifest.json'), JSON.stringify({ sources, note }));
      // Sources that were edited meanwhile may be in it in part: such a version is good for one run only.
      const key = areOlder(digests.root, sources, begun) ? keyOf(sources) : `edited-${process.pid}-${counter}`;
      const folder = join(home, key);
      await rename(workshop, folder).catch(async (error: unknown) => {
        // Another process was faster; its result is the same.
        if (!existsSync(folder)) throw error;
        await rm(workshop, { recursive: true, force: true });
      });
      hold(folder);
      await removeOld(home);
      return { key, folder: join(folder, 'content'), sources, note };
    },
  };
};

const namesIn = (home: string): string[] =>
  existsSync(home) ? readdirSync(home).filter((name) => /^[0-9a-f]{16}$/.test(name)) : [];

const readManifest = (home: string, key: string): Version | undefined => {
  try {
    const text = readFileSync(join(home, key, 'manifest.json'), 'utf8');
    return { key, folder: join(home, key, 'content'), ...v.parse(Manifest, JSON.parse(text)) };
  } catch (error) {
    // Another process has just tidied up.
    if (codeIn(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** By so much a file system's clock may be behind. */
const graceMilliseconds = 20;

const areOlder = (root: string, sources: readonly string[], milliseconds: number): boolean =>
  sources.every((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < milliseconds - graceMilliseconds;
  });

const held = new Set<string>();

/** Keeps a version from being removed by later ones, for as long as this process runs. */
const hold = (folder: string): void => {
  if (held.size === 0) setInterval(() => held.forEach(touch), heartbeatMilliseconds).unref();
  held.add(folder);
  touch(folder);
};

const touch = (folder: string): void => {
  const now = new Date();
  // Gone: then there is nothing to hold.
  utimes(folder, now, now).catch(() => undefined);
};

const removeOld = async (home: string): Promise<void> => {
  const ages = await Promise.all(readdirSync(home).map((name) => readAge(home, name)));
  const old = ages.sort((left, right) => right.modifiedAt - left.modifiedAt).slice(keptVersions);
  const unused = old.filter(({ modifiedAt }) => modifiedAt < Date.now() - inUseMilliseconds);
  await Promise.all(unused.map(({ name }) => rm(join(home, name), { recursive: true, force: true })));
};

const readAge = async (home: string, name: string): Promise<{ name: string; modifiedAt: number }> => {
  try {
    return { name, modifiedAt: (await stat(join(home, name))).mtimeMs };
  } catch (error) {
    // Another process has just tidied up.
    if (codeIn(error) === 'ENOENT') return { name, modifiedAt: 0 };
    throw error;
  }
};

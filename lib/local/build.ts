import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inputsHash } from '../build/inputs.ts';
import { codeOf, UserError } from './user-error.ts';

export type Build = {
  /** The folder with the template and the bundles. */
  folder: string;
  /** Whether an earlier build of the same sources was taken. */
  isCached: boolean;
};

const root = resolve(import.meta.dirname, '../..');
const builds = join(root, 'dist', 'local');
const keptBuilds = 4;
/** A stack that runs reads its bundles as they are first called: it says every few minutes that its build is in use. */
const inUseMilliseconds = 3_600_000;
const heartbeatMilliseconds = 300_000;

/** Keeps a build from being removed by later ones, until the answer is called. */
export const holdBuild = (folder: string): (() => void) => {
  const touch = () => {
    const now = new Date();
    // Not a build of ours, or gone: then there is nothing to hold.
    utimes(folder, now, now).catch(() => undefined);
  };
  const timer = setInterval(touch, heartbeatMilliseconds).unref();
  return () => clearInterval(timer);
};

/**
 * Builds the functions and synthesizes the stack, unless the same sources were built before. Safe beside other processes
 * that do the same. Throws PlainError with the tools' own words when the sources do not build.
 */
export const buildOnce = async (): Promise<Build> => {
  const wanted = await folderOfSources();
  if (existsSync(wanted)) {
    const now = new Date();
    await utimes(wanted, now, now);
    return { folder: wanted, isCached: true };
  }
  const workshop = join(builds, `unfinished-${process.pid}-${Date.now()}`);
  await mkdir(workshop, { recursive: true });
  await synthesize(workshop);
  // Sources that were edited meanwhile may be in it in part: such a build is good for one run only.
  const folder = wanted === (await folderOfSources()) ? wanted : `${workshop}-edited`;
  await rename(join(workshop, 'cdk.out'), folder).catch((error: unknown) => {
    // Another process was faster; its result is the same.
    if (!existsSync(folder)) throw error;
  });
  await rm(workshop, { recursive: true, force: true });
  await removeOld();
  return { folder, isCached: false };
};

const folderOfSources = async (): Promise<string> => join(builds, (await inputsHash(root)).slice(0, 16));

const synthesize = async (workshop: string): Promise<void> => {
  const script = join(import.meta.dirname, 'synthesize.ts');
  const child = spawn(process.execPath, [script, workshop], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const words: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => words.push(chunk.toString()));
  const [status] = await once(child, 'close');
  if (status === 0) return;
  await rm(workshop, { recursive: true, force: true });
  throw new UserError(`The functions cannot be built.\n${words.join('').trim()}`);
};

const removeOld = async (): Promise<void> => {
  const ages = await Promise.all((await readdir(builds)).map(ageOf));
  const old = ages.sort((left, right) => right.modifiedAt - left.modifiedAt).slice(keptBuilds);
  const unused = old.filter(({ modifiedAt }) => modifiedAt < Date.now() - inUseMilliseconds);
  await Promise.all(unused.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
};

const ageOf = async (name: string): Promise<{ name: string; modifiedAt: number }> => {
  try {
    return { name, modifiedAt: (await stat(join(builds, name))).mtimeMs };
  } catch (error) {
    // Another process has just tidied up.
    if (codeOf(error) === 'ENOENT') return { name, modifiedAt: 0 };
    throw error;
  }
};

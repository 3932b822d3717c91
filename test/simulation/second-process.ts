import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { pullAtSlot } from '#disputes/outcomes/pull/pull-flow.ts';
import { readFonts } from './functions.ts';
import type { PreviousRelease } from './previous/kept-handlers.ts';
import { currentRun } from './world/lambda.ts';
import { seedRandom } from './world/random.ts';
import type { World } from './world/world.ts';

/**
 * Another process of the same release. Lambda runs several of each function, and each has read the secrets at another time. The modules of the
 * service are loaded a second time, as a bundle, so that they have caches of their own.
 */
export type SecondProcess = PreviousRelease & { pullAtSlot: typeof pullAtSlot };

const root = join(import.meta.dirname, '../..');
/** Below this folder Node finds the packages that the bundle imports. */
const cache = join(root, 'node_modules/.cache/second-process');

const digestOfSources = (): string => {
  const digest = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const names = readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => /\.\w+$/.test(one)).sort()) {
    digest.update(name).update(readFileSync(join(root, 'functions', name)));
  }
  return digest.digest('hex');
};

/** Bundles the present sources, once for all processes of this machine. */
const bundled = async (): Promise<string> => {
  const file = join(cache, `${digestOfSources()}.mjs`);
  if (existsSync(file)) return file;
  const { bundleHandlers } = await import('./previous/bundle-handlers.ts');
  const contents = await bundleHandlers(root, ["export { pullAtSlot } from '#disputes/outcomes/pull/pull-flow.ts';"]);
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
  return file;
};

let loading: Promise<SecondProcess> | undefined;

/** Loads the second process. Call it outside of worlds. */
export const secondProcess = (): Promise<SecondProcess> => {
  loading ??= bundled().then(async (file) => {
    const second = (await import(pathToFileURL(file).href)) as SecondProcess;
    await readFonts(second);
    return second;
  });
  return loading;
};

/** Decides whether the second process handles the present run of a function. */
export const isOfSecond = (world: World): boolean => {
  const { place = '' } = currentRun() ?? {};
  return seedRandom(world.seed, `process of ${place}`).chance(0.5);
};

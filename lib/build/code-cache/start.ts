import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheFolder, cacheFolderOf, cacheOf, createLoader, unseal } from './loader.ts';

/**
 * The entry point of a function that was deployed with a code cache, beside its `index.js`. Where another V8 runs than the one
 * that made the cache, nothing of it is read, and `index.js` is loaded as it would be without.
 */
const folder = import.meta.dirname;
const cache = cacheFolderOf(folder);

/** In the form of `log`, which is not loaded yet. */
const say = (reason: 'another V8' | 'refused' | 'damaged'): void => {
  const { version: node, versions, arch } = process;
  const line = { level: 'warn', time: new Date().toISOString(), event: 'code_cache_unused', reason };
  const made = readdirSync(join(folder, cacheFolder));
  process.stdout.write(`${JSON.stringify({ ...line, node, v8: `${versions.v8}-${arch}`, made })}\n`);
};

const loadCached = (): object => {
  let isSaid = false;
  const sayOnce = (reason: 'refused' | 'damaged'): void => {
    if (!isSaid) say(reason);
    isSaid = true;
  };
  const load = createLoader(folder, {
    read: (name) => {
      const made = join(cache, cacheOf(name));
      if (!existsSync(made)) return undefined;
      const whole = unseal(readFileSync(made));
      if (!whole) sayOnce('damaged');
      return whole;
    },
    onCompiled: (_, script) => {
      if (script.cachedDataRejected) sayOnce('refused');
    },
  });
  return load('index.js');
};

const loadPlain = (): object => {
  say('another V8');
  return createRequire(join(folder, 'index.js'))('./index.js');
};

export const { handler } = (existsSync(cache) ? loadCached() : loadPlain()) as { handler: unknown };

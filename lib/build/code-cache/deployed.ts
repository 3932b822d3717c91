import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, cacheOf } from './loader.ts';

/** What code with a cache begins with; else it begins with `index.js`. */
export const entry = 'start.js';

/** The handler of code that lies there, as Lambda names it. */
export const handlerOf = (dir: string): string => (hasCache(dir) ? 'start.handler' : 'index.handler');

const hasCache = (dir: string): boolean => existsSync(join(dir, entry));

/**
 * Tells code with a cache from other such code; undefined if it has none. V8 never writes a cache twice alike, and code that has not
 * changed need not be deployed again: so names count, V8's among them, and contents only of what V8 did not write. Which Node made
 * the cache is one of these, as another may make one that Lambda takes where it refused the last.
 */
export const versionOf = (dir: string): string | undefined => {
  if (!hasCache(dir)) return undefined;
  const hash = createHash('sha256');
  const found = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const path of found.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    const name = path.slice(dir.length + 1);
    hash.update(`${name}\n`);
    if (!isWrittenByV8(name)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
};

const isWrittenByV8 = (name: string): boolean => name.startsWith(cacheFolder) && name.endsWith(cacheOf(''));

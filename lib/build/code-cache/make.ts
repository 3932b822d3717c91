import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { callOnce } from './first-call.ts';
import { cacheFolderOf, cacheOf, createLoader, makerFile, seal } from './loader.ts';

/**
 * Run by the Node that functions are to run in: `make.ts <folder> <sample event>`. Calls a function once, so that V8 compiles what a
 * first call needs; then keeps what V8 has of each file.
 */
const [folder = '', sample = ''] = process.argv.slice(2);

const scripts = new Map<string, Script>();
const load = createLoader(folder, { read: () => undefined, onCompiled: (name, script) => scripts.set(name, script) });
await callOnce(sample, () => load('index.js'));

const cache = cacheFolderOf(folder);
mkdirSync(cache, { recursive: true });
for (const [name, script] of scripts) writeFileSync(join(cache, cacheOf(name)), seal(script.createCachedData()));
// Builds of the same version differ in how they were configured: Lambda's is not that of nodejs.org.
const { version, arch, execArgv, config } = process;
writeFileSync(join(cache, makerFile), JSON.stringify({ version, arch, flags: execArgv, config }));
process.exit();

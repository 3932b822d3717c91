import { createRequire } from 'node:module';
import { join } from 'node:path';
import { entry } from './deployed.ts';
import { callOnce } from './first-call.ts';

/**
 * Run by the Node that made a cache: `check.ts <folder> <sample event>`. Loads the function as Lambda does, with its cache, and calls it once.
 * V8 does not look at what is in a cache and dies of a bad one, so this is a process of its own.
 */
const [folder = '', sample = ''] = process.argv.slice(2);
await callOnce(sample, () => createRequire(join(folder, entry))(`./${entry}`));
process.exit();

import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { vi } from 'vitest';

/**
 * For the test files that share a process, one after the other: each begins as in a process of its own. Modules of the project
 * are reloaded; installed ones stay loaded and warm, which is most of what a process costs. The changes of the file before are
 * undone.
 */
const require = createRequire(import.meta.url);
const { clients, environment, restoreNode, sinon } = require('./process-state.mjs');
const installed = `${sep}node_modules${sep}`;

vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
sinon.restore();
restoreNode();
for (const { prototype } of clients) Reflect.deleteProperty(prototype, 'send');

// The clock, which all copies of the modules share.
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('forewarn.')) Reflect.deleteProperty(globalThis, symbol);
}

// The bundles that stacks have run, with all they hold.
for (const path of Object.keys(require.cache)) {
  if (!path.includes(installed) && !/(?:process-state|captured-output)\.mjs$/.test(path)) delete require.cache[path];
}

/** Vitest's own variables change with the file. */
const isOurs = (name: string): boolean => !name.startsWith('VITEST');
for (const name of Object.keys(process.env).filter(isOurs)) if (!(name in environment)) delete process.env[name];
Object.assign(process.env, Object.fromEntries(Object.entries(environment).filter(([name]) => isOurs(name))));

import { createRequire } from 'node:module';
import { vi } from 'vitest';
import { switches } from './switches.ts';

/**
 * Undoes what the run before has left in the process, as `support/fresh-modules.ts` does between test files. Modules are only reloaded if
 * the run asks for it: most mutants work in the modules that are loaded.
 */
const require = createRequire(import.meta.url);
const { clients, environment, restoreNode, sinon } = require('../support/process-state.mjs');

if (switches.reloads) vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
sinon.restore();
restoreNode();
for (const { prototype } of clients) Reflect.deleteProperty(prototype, 'send');

for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('forewarn.')) Reflect.deleteProperty(globalThis, symbol);
}

const isOurs = (name: string): boolean => !name.startsWith('VITEST');
for (const name of Object.keys(process.env).filter(isOurs)) if (!(name in environment)) delete process.env[name];
Object.assign(process.env, Object.fromEntries(Object.entries(environment).filter(([name]) => isOurs(name))));

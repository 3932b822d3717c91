import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What leaves something behind in its process, or asks for a helper that may: a mock, a hook, an emulator, the clock, the environment. */
const leavesTraces =
  /\bvi\.|\bprocess\.|\b(?:before|after)(?:All|Each)\b|\bsetClock\b|\binject\(|\/support\/|\/seed|\/fake-|\bnode:(?!fs|path|crypto|util)/;

/**
 * The test files that only call functions and look at what they give: they leave nothing behind, so one process may run them
 * all and load what they test once.
 */
export const plainTestFiles = (folder = 'test'): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => !leavesTraces.test(readFileSync(file, 'utf8')))
    .sort();

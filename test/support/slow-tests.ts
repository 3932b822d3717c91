import { readFileSync } from 'node:fs';

/**
 * Tests that `npm run test:slow` runs, and `npm test` does not: half of the processor time of all tests, for what changes rarely.
 * `.ci/run` runs both.
 */
const slowFiles: readonly RegExp[] = [
  // Commands as they are documented, and clients in other languages.
  /^test\/(?:client|guides|operator)\//,
  // All functions built: what they weigh and cost, and each called as it is deployed.
  /^test\/(?:budget|build\/(?:browser-app|bundle)|flows\/samples|local\/crash)\.test\.ts$/,
  // Histories by the hundred.
  /^test\/simulation\/(?:histories|planted)\.test\.ts$/,
  // Every dialog in two themes and widths, and the dashboard in each language.
  /^test\/dashboard\/(?:dialogs|languages)\.test\.ts$/,
  // Pages that change rarely, in a browser: the bank's challenge, and the documentation.
  /^test\/(?:payments\/threeds\/browser|accounts\/documents\/docs-in-browser)\.test\.ts$/,
  // What is expensive on purpose: hostile files and pages, shops with hundreds of orders, two kinds of tables compared.
  /^test\/(?:disputes\/(?:chargebacks\/hostile-files|history\/order-sources)|memory-stack|payments\/threeds\/browser-abuse)\.test\.ts$/,
];

/** Starts programs, a stack with the emulator and functions as they are deployed, or a synthesis of its own. */
const isSlowCode = /\buseCommand\(|'node:child_process'|\breal: true\b|\/synthesized\.ts'/;

/** One command among hundreds of tests of the API document, and git's list of files. */
const quickFiles: readonly string[] = ['test/openapi/document.test.ts', 'test/voice.test.ts'];

export const isSlowTest = (file: string): boolean =>
  !quickFiles.includes(file) &&
  (slowFiles.some((pattern) => pattern.test(file)) || isSlowCode.test(readFileSync(file, 'utf8')));

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from '#test/support/longest-first.ts';
import { openScratchFolder } from '#test/support/scratch-folder.ts';
import { isSlowTest } from '#test/support/slow-tests.ts';
import { groupTestFiles } from '#test/support/test-groups.ts';

const { alone, inTurn, together } = groupTestFiles();
const setupFiles = [
  'environment.ts',
  'secret-leak-setup.ts',
  'contract-setup.ts',
  'cheap-passwords.ts',
  'short-pauses.ts',
  'quiet-output.ts',
].map((name) => `test/support/${name}`);

const groups = [
  { name: 'alone', files: alone, setupFiles },
  // First of all: the others are loaded again, too.
  { name: 'in turn', files: inTurn, isolate: false, setupFiles: ['test/support/fresh-modules.ts', ...setupFiles] },
  { name: 'together', files: together, isolate: false, setupFiles },
];

const projectOf = (name: string, include: readonly string[], how: object) =>
  include.length === 0 ? [] : [{ extends: true as const, test: { name, include: [...include], ...how } }];

// Every worker, and every command that a test starts, loads the same modules and functions: what was compiled once is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    silent: 'passed-only',
    reporters: ['test/support/brief-reporter.ts', 'test/support/slowest-files.ts'],
    globalSetup: ['test/support/build-once.ts'],
    env: { TMPDIR: openScratchFolder() },
    fsModuleCache: true,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    // Less collecting of what is young, and no threads that help with it: both cores have tests to run.
    execArgv: [
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--single-threaded-gc',
      '--max-old-space-size=2048',
    ],
    // Only so that a test that hangs ends at all: no test depends on how fast the machine is.
    testTimeout: 600_000,
    hookTimeout: 900_000,
    sequence: { hooks: 'list', sequencer: LongestFirst },
    projects: groups.flatMap(({ name, files, ...how }) => [
      ...projectOf(
        name,
        files.filter((file) => !isSlowTest(file)),
        how,
      ),
      ...projectOf(`slow ${name}`, files.filter(isSlowTest), how),
    ]),
  },
});

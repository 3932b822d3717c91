import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { plainTestFiles } from './test/support/plain-tests.ts';
import { openScratchFolder } from './test/support/scratch-folder.ts';

const plain = plainTestFiles();

// Every worker, and every command that a test starts, loads the same modules and functions: what was compiled once is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    setupFiles: ['test/support/environment.ts', 'test/support/secret-leak-setup.ts', 'test/support/cheap-passwords.ts'],
    reporters: ['default', 'test/support/slowest-files.ts'],
    globalSetup: ['test/support/build-once.ts'],
    env: { TMPDIR: openScratchFolder() },
    fsModuleCache: true,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    sequence: { hooks: 'list', sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: plain } },
      { extends: true, test: { name: 'together', include: plain, isolate: false } },
    ],
  },
});

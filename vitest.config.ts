import { defineConfig } from 'vitest/config';
import { plainTestFiles } from './test/support/plain-tests.ts';
import { openScratchFolder } from './test/support/scratch-folder.ts';

const plain = plainTestFiles();

export default defineConfig({
  test: {
    setupFiles: ['test/support/environment.ts', 'test/support/secret-leak-setup.ts', 'test/support/cheap-passwords.ts'],
    reporters: ['default', 'test/support/slowest-files.ts'],
    globalSetup: ['test/support/build-once.ts'],
    env: { TMPDIR: openScratchFolder() },
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    sequence: { hooks: 'list' },
    projects: [
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: plain } },
      { extends: true, test: { name: 'together', include: plain, isolate: false } },
    ],
  },
});

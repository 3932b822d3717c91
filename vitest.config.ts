import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/environment.ts', 'test/support/secret-leak-setup.ts', 'test/support/cheap-passwords.ts'],
    reporters: ['default', 'test/support/slowest-files.ts'],
    globalSetup: ['test/support/build-once.ts'],
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    sequence: { hooks: 'list' },
  },
});

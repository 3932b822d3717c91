import { createRequire } from 'node:module';
import { afterAll, afterEach } from 'vitest';

/**
 * Captures the log lines and other output of each test, and prints them if the test fails. Vitest prints the console output of
 * failing tests only (`silent` in vitest.config.ts).
 */
const require = createRequire(import.meta.url);
const output: { captureOutput: () => void; takeOutput: () => string } = require('./captured-output.mjs');

type Outcome = { result?: { state: string } | undefined };
const printIfFailed = (...outcomes: readonly Outcome[]): void => {
  const text = output.takeOutput();
  if (text !== '' && outcomes.some(({ result }) => result?.state === 'fail')) console.log(text);
};

output.captureOutput();
afterEach(({ task }) => printIfFailed(task));
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here
afterAll(({}, file) => printIfFailed(file, ...file.tasks));

import { createRequire } from 'node:module';
import { afterAll, afterEach } from 'vitest';

/**
 * Keeps log lines and other output of a test from the terminal, and prints them only if it fails. Vitest prints what is written to the
 * console by failing tests alone (`silent` in vitest.config.ts).
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

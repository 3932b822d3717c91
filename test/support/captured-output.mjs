// What the process of a test writes to its standard output and error, kept from the terminal. Loaded by Node itself, so that it
// is the same for all test files of a process.

/** Older output is dropped, so that a long test does not keep all of its log lines. */
const maxChunks = 2000;
const chunks = [];

const capture = (chunk, ...rest) => {
  chunks.push(String(typeof chunk === 'string' ? chunk : Buffer.from(chunk)));
  if (chunks.length > maxChunks) chunks.splice(0, maxChunks / 2);
  rest.find((argument) => typeof argument === 'function')?.();
  return true;
};

/** Captures everything that is written from now on, also where a test has left its own stand-in. */
export const captureOutput = () => {
  process.stdout.write = capture;
  process.stderr.write = capture;
};

/** Returns what was written since the last call, and forgets it. */
export const takeOutput = () => chunks.splice(0).join('');

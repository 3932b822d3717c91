// Captures what a test's process writes to standard output and error. Loaded by Node itself, so that all test files of a
// process share it.

/** Older output is dropped, so that a long test does not keep all of its log lines. */
const maxChunks = 2000;
const chunks = [];

/** Notices about tests that are skipped because a program is missing are always shown. */
const notice = '!!! SKIPPED';
const { write } = process.stderr;

const capture = (chunk, ...rest) => {
  const text = String(typeof chunk === 'string' ? chunk : Buffer.from(chunk));
  if (text.includes(notice)) return Reflect.apply(write, process.stderr, [chunk, ...rest]);
  chunks.push(text);
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

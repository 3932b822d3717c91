import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Invocation } from './function-runner.ts';
import { codeOf } from './plain-error.ts';

const maximumBytes = 20 * 1024 * 1024;

/** Where the functions' log lines are kept. */
export const logFile = (folder: string): string => join(folder, 'functions.log');

/** Keeps what functions log, one JSON line each, in a file of the data folder; an older one beside it when it grows long. */
export const keepLogs = (folder: string): ((invocation: Invocation) => void) => {
  const file = logFile(folder);
  let last: Promise<void> = Promise.resolve();
  return ({ function: { name }, logs, error }) => {
    const lines = [...logs, ...(error ? [failureLine(name, error)] : [])];
    if (lines.length === 0) return;
    // The folder may be gone when the stack has been stopped meanwhile; then nobody will read this.
    last = last.then(() => append(file, `${lines.join('\n')}\n`)).catch(() => undefined);
  };
};

const failureLine = (name: string, { message, stack }: Error): string =>
  JSON.stringify({ level: 'error', event: 'function_failed', function: name, message, stack });

const append = async (file: string, text: string): Promise<void> => {
  if ((await sizeOf(file)) > maximumBytes) await rename(file, `${file}.1`);
  await appendFile(file, text, { mode: 0o600 });
};

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
};

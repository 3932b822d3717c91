import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../user-error.ts';
import type { Invocation } from './function-runner.ts';

const maximumBytes = 20 * 1024 * 1024;

/** Where the functions' log lines are kept. */
export const logFile = (folder: string): string => join(folder, 'functions.log');

export type FunctionLog = {
  keep(invocation: Invocation): void;
  /** Settles when everything so far is in the file. */
  whenWritten(): Promise<void>;
};

/** Writes the log of functions, one JSON line each, to a file of the data folder; an older one is kept when it grows long. */
export const openFunctionLog = (folder: string, onProblem: (sentence: string) => void): FunctionLog => {
  const file = logFile(folder);
  let last: Promise<void> = Promise.resolve();
  /** The lines that wait for the current write, to be written together. */
  let waiting: string[] = [];
  const writeWaiting = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    try {
      append(file, `${lines.join('\n')}\n`);
    } catch (problem) {
      onProblem(`The functions' log cannot be kept: ${errorText(problem)}`);
    }
  };
  return {
    keep: ({ function: { name }, logs, error }) => {
      const lines = [...logs, ...(error ? [failureLine(name, error)] : [])];
      if (lines.length === 0) return;
      if (waiting.length === 0) last = last.then(writeWaiting);
      waiting.push(...lines);
    },
    whenWritten: () => last,
  };
};

const failureLine = (name: string, { message, stack }: Error): string =>
  JSON.stringify({ level: 'error', event: 'function_failed', function: name, message, stack });

/** At once: a few lines are in the operating system's memory before a thread that would write them has begun. */
const append = (file: string, text: string): void => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maximumBytes) renameSync(file, `${file}.1`);
  appendFileSync(file, text, { mode: 0o600 });
};

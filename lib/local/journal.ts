import { relative } from 'node:path';
import pc from 'picocolors';
import type { Firing } from './aws/schedules.ts';
import type { Invocation } from './functions/function-runner.ts';
import type { Served } from './gateway/web-server.ts';
import type { Watch } from './stack.ts';

const labelWidth = 10;

/** Rows of a name and a value, the names aligned. */
export const row = (label: string, value: string): string => `  ${pc.dim(label.padEnd(labelWidth))}${value}`.trimEnd();

/** `2026-05-02 10:00:00 UTC` */
export const instantText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const statusColour = (status: number) => (text: string) => {
  if (status >= 500) return pc.red(text);
  return status >= 400 ? pc.yellow(text) : pc.green(text);
};

type JournalParts = {
  /** The stack's clock. */
  now: () => number;
  print: (line: string) => void;
  logFile: string;
  /** Describes the webhooks in a function's log lines. */
  deliveries: (logs: readonly string[]) => Promise<string[]>;
};

/**
 * One calm line for each request, each webhook and each schedule that fires, with the stack's time; a red one for each function
 * that fails.
 */
export const createJournal = ({ now, print, logFile, deliveries }: JournalParts): Watch => {
  const line = (mark: string, what: string, outcome = '') => {
    const time = pc.dim(new Date(now()).toISOString().slice(5, 19).replace('T', ' '));
    print(`  ${time}  ${mark} ${what}${outcome && `  ${outcome}`}`);
  };
  return {
    onServed: (served) => {
      if (isWorthALine(served)) line(pc.blue('←'), `${served.method} ${served.path}`, endText(served));
    },
    onFire: ({ name, at }: Firing) =>
      line(pc.magenta('◷'), name, isLate(at, now()) ? pc.dim(`of ${instantText(at)}`) : ''),
    onInvocation: ({ function: { name }, error, logs }: Invocation) => {
      deliveries(logs)
        .then((texts) => {
          for (const text of texts) line(pc.cyan('→'), text);
        })
        // The stack is stopping.
        .catch(() => undefined);
      if (error && error.message !== 'Unauthorized') {
        line(pc.red('✗'), pc.red(`${name} failed: ${error.message}`), pc.dim(`see ${relative('.', logFile)}`));
      }
    },
    onProblem: (sentence) => line(pc.red('!'), pc.red(sentence)),
  };
};

/** It fell due while the stack was off. */
const isLate = (at: number, now: number): boolean => now - at > 60_000;

/** Requests to look into the stack are no events of the service; the requests to its sinks are reported as webhooks. */
const isWorthALine = (served: Served): boolean => !served.path.startsWith('/_local');

const endText = ({ status, milliseconds }: Served): string =>
  `${statusColour(status)(String(status))} ${pc.dim(`${Math.round(milliseconds)} ms`)}`;

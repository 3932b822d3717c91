import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { clockSymbol } from '#core/kernel/clock.ts';
import type { Program, Terminal } from '#lib/local/command.ts';
import { writeEndpoints } from '#lib/local/endpoints.ts';

type Ran = { out: string; err: string; status: number | null };
/** `signal`: kills the command, as a machine that goes down does. */
type Options = { input?: string; dataFolder?: string; signal?: AbortSignal };
type Command = (args: readonly string[], options?: Options) => Promise<Ran>;
/** `callHere`: the same on this table without a program of its own. */
type Commands = Command & { callHere: (program: Program) => Command };

/** Returns the environment of the project's programs: the path of programs, and the cache of compiled code. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NO_COLOR: '1',
});

/**
 * The same command as a function of this process, for what need not start a program: in the environment that a program would have, which
 * is undone, and so is the clock, which a stack in this process may have set. Its passwords cost what those of tests cost.
 */
const callIn =
  (folder: string) =>
  (program: Program): Command =>
  async (args, { input = '', dataFolder = folder } = {}) => {
    const before = { ...process.env };
    const clock: unknown = Reflect.get(globalThis, clockSymbol);
    const [out, err]: [string[], string[]] = [[], []];
    const writeTo = (texts: string[]) => ({ write: (text: string) => texts.push(text) });
    const textOf = (texts: readonly string[]) => stripVTControlCharacters(texts.join(''));
    process.env['DATA_DIR'] = dataFolder;
    try {
      const terminal: Terminal = { stdin: Readable.from([input]), stdout: writeTo(out), stderr: writeTo(err) };
      const status = await program([...args], terminal);
      return { out: textOf(out), err: textOf(err), status };
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
      if (clock) Reflect.set(globalThis, clockSymbol, clock);
      else Reflect.deleteProperty(globalThis, clockSymbol);
    }
  };

/**
 * An operator's command, run as a program of its own on the table of the test file, as it is on that of a local stack; to be
 * called where a suite begins, after `useEmulator`. `more`: what else it finds in its environment, asked before the first test.
 */
export const useCommand = (file: string, more: () => Record<string, string> = () => ({})): Commands => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-command-'));
  beforeAll(() =>
    writeEndpoints(folder, {
      pid: process.pid,
      url: 'http://127.0.0.1:3000',
      clockOffsetMilliseconds: 0,
      environment: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        TABLE_NAME: process.env['TABLE_NAME'] ?? '',
        AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
        ...more(),
      },
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run: Command = async (args, { input = '', dataFolder = folder, signal } = {}) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: { ...programEnvironment(), DATA_DIR: dataFolder },
    });
    child.stdin.end(input);
    signal?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
    const [out, err, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('close', resolve)),
    ]);
    return { out, err, status };
  };
  return Object.assign(run, { callHere: callIn(folder) });
};

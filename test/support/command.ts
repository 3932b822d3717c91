import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { writeEndpoints } from '../../lib/local/endpoints.ts';

type Ran = { out: string; err: string; status: number | null };
/** `signal`: kills the command, as a machine that goes down does. */
type Options = { input?: string; dataFolder?: string; signal?: AbortSignal };
type Command = (args: readonly string[], options?: Options) => Promise<Ran>;

/** What a program of ours needs of the environment: where programs lie, and where what was compiled once is kept. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NO_COLOR: '1',
});

/**
 * An operator's command, run as a program of its own on the table of the test file, as it is on that of a local stack; to be
 * called where a suite begins, after `useEmulator`. `more`: what else it finds in its environment, asked before the first test.
 */
export const useCommand = (file: string, more: () => Record<string, string> = () => ({})): Command => {
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
  return async (args, { input = '', dataFolder = folder, signal } = {}) => {
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
};

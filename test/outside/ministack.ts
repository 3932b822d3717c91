import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * MiniStack, an AWS emulator that others wrote (MIT, from PyPI). It runs in a virtual environment outside the repository, and its functions under the Node
 * that npm ci brings.
 * @see https://pypi.org/project/ministack/
 */
export const miniStackVersion = '1.5.33';

const run = promisify(execFile);

/** A running emulator: where it is, the environment of programs that use it, and how it ends. */
export type MiniStack = { url: string; environment: Record<string, string>; stop: () => void };

/** Installs a Python package by version, once per machine, and returns the folder of its programs. Throws an Error where Python is missing. */
export const installPython = async (name: string, version: string): Promise<string> => {
  const folder = join(homedir(), '.cache/forewarn', `${name}-${version}`);
  const programs = join(folder, 'bin');
  if (existsSync(join(folder, 'installed'))) return programs;
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', `${name}==${version}`]);
  await run('touch', [join(folder, 'installed')]);
  return programs;
};

/** Returns a port that is free at present. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts the emulator and waits until it answers. `logFile`: gets its output. */
export const startMiniStack = async (logFile: string): Promise<MiniStack> => {
  const programs = await installPython('ministack', miniStackVersion);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(logFile, 'w');
  const node = join(process.cwd(), 'node_modules/.bin');
  const child = spawn(join(programs, 'ministack'), [], {
    stdio: ['ignore', log, log],
    env: { ...process.env, PATH: `${node}:${process.env['PATH']}`, GATEWAY_PORT: String(port), HOST: '127.0.0.1' },
  });
  await untilAnswered(`${url}/_ministack/health`, child);
  const environment = {
    ...{ AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_EC2_METADATA_DISABLED: 'true' },
  };
  return { url, environment, stop: () => void child.kill() };
};

/** Waits until a program that was started answers. Throws an Error if it ends, or does not answer within a minute. */
export const untilAnswered = async (
  url: string,
  child: ChildProcess,
  headers: Record<string, string> = {},
): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.ok) return;
    await pause(200);
  }
  throw new Error(`${child.spawnfile} did not answer within a minute`);
};

import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export type FreshCall = {
  /** The file that exports `handler`: an absolute path; `.mjs` if it is an ES module. */
  code: string;
  /** Without one, the code is only loaded. */
  event?: APIGatewayProxyEvent | undefined;
};

export type FreshResult = {
  /** The status each call was answered with. */
  statuses: number[];
  /** From before the first file was loaded until the last call was answered. */
  wallMilliseconds: number;
  cpuMilliseconds: number;
  /** The parts of Node that were loaded by then, its inner ones included. */
  loaded: string[];
  /** For each, in their order: the type of its exported handler, and which parts it was the first to load. */
  found: { kind: string; loaded: string[] }[];
};

const script = fileURLToPath(new URL('fresh-process.mjs', import.meta.url));
const run = promisify(execFile);
/** Lambda starts Node with these. */
const lambdaFlags = ['--expose-gc'];

/** Calls functions, one after the other, in a new process with only this environment and Lambda's flags. */
export const callInFreshProcess = async (
  calls: readonly FreshCall[],
  environment: Readonly<Record<string, string>>,
): Promise<FreshResult> => {
  // The sample events of all functions are longer than an argument may be.
  await using folder = await mkdtempDisposable(join(tmpdir(), 'forewarn-fresh-'));
  const file = join(folder.path, 'calls.json');
  await writeFile(file, JSON.stringify(calls));
  const { stdout } = await run(process.execPath, [...lambdaFlags, script, file], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      TABLE_NAME: 'forewarn-test',
      STAGE_NAME: 'test',
      ...environment,
    },
  });
  // The functions' own lines come first.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as FreshResult;
};

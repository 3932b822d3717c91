import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { lambdaFlags } from '#lib/build/code-cache.ts';

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
  /** Of each, in their order: what it exports as its handler, and which parts it was the first to load. */
  found: { kind: string; loaded: string[] }[];
  /** The lines that they wrote. */
  said: string[];
};

const script = fileURLToPath(new URL('fresh-process.mjs', import.meta.url));
const run = promisify(execFile);

/** Calls functions, one after the other, in a new process with just this environment and, if nothing else is said, Lambda's flags. */
export const callInFreshProcess = async (
  calls: readonly FreshCall[],
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = lambdaFlags,
): Promise<FreshResult> => {
  const { stdout } = await run(process.execPath, [...flags, script, JSON.stringify(calls)], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      TABLE_NAME: 'forewarn-test',
      STAGE_NAME: 'test',
      ...environment,
    },
  });
  const lines = stdout.trim().split('\n');
  const result = JSON.parse(lines.pop() ?? '') as Omit<FreshResult, 'said'>;
  return { ...result, said: lines.filter((line) => line !== '') };
};

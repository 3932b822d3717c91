import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { setClock } from '#core/kernel/clock.ts';
import { codeIn } from './user-error.ts';

const Endpoints = v.object({
  /** The process that runs the stack. */
  pid: v.number(),
  /** Where the gateway listens, such as `http://127.0.0.1:3000`. */
  url: v.string(),
  /** The time by which the stack's clock is ahead of the system's; may be negative. */
  clockOffsetMilliseconds: v.number(),
  /** The environment of every function of the stack: `TABLE_NAME`, `JWT_SECRET_ID`, `AWS_ENDPOINT_URL_…`. */
  environment: v.record(v.string(), v.string()),
});

/** The address and settings by which other commands of this machine reach a running local stack. */
export type Endpoints = v.InferOutput<typeof Endpoints>;

/** The folder that holds the local stack's data: `DATA_DIR`, or `.local/`. Absolute. */
export const dataFolder = (): string => resolve(process.env['DATA_DIR'] || '.local');

const fileIn = (folder: string): string => join(folder, 'endpoints.json');

/** Leaves a note about the running stack in its data folder. */
export const writeEndpoints = (folder: string, endpoints: Endpoints): void =>
  writeFileSync(fileIn(folder), `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });

/** Removes the note when the stack stops. */
export const removeEndpoints = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** Where the stack with this data folder can be reached; undefined if none runs. */
export const readEndpoints = (folder: string = dataFolder()): Endpoints | undefined => {
  const text = readIfThere(fileIn(folder));
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), Endpoints), text);
  return result.success && isRunning(result.output.pid) ? result.output : undefined;
};

/** Makes this process one that may use the stack's table, queues and secrets, at the stack's time. */
export const enterStack = ({ environment, clockOffsetMilliseconds }: Endpoints): void => {
  Object.assign(process.env, environment);
  setClock(() => Date.now() + clockOffsetMilliseconds);
};

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeIn(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeIn(error) === 'EPERM';
  }
};

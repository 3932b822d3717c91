import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { variables } from '#core/platform/operation/environment.ts';
import { type Grants, variableOfQueue, variableOfSecret } from '#core/platform/operation/grants.ts';
import { sampleOf } from '#core/platform/operation/operation.ts';
import { bundleName, type Named } from './bundle.ts';
import { entry } from './code-cache/deployed.ts';
import { cacheFolder } from './code-cache/loader.ts';

/** A function somebody waits for; its sample event stands for a first call. */
export type AwaitedFunction = Named & { grants: Grants };

export type CacheRequest = {
  functions: readonly AwaitedFunction[];
  /** Where a function was built. */
  dirOf: (one: Named) => string;
  /** The Node that functions are to run in, of their processor: a path. */
  node: string;
};

/** With this Lambda starts Node, and V8 takes code only from a V8 with the same flags. Limits of memory do not count. */
export const lambdaFlags = ['--expose-gc'] as const;

const limits = { timeout: 60_000 };
const run = promisify(execFile);

/**
 * Adds to functions that are built already what V8 makes of their code, and loads each once with it. If one of them does not come up,
 * none has a cache, and the error says in a line which one and how it ended.
 */
export const addCodeCaches = async ({ functions, dirOf, node }: CacheRequest): Promise<void> => {
  const waiting = [...functions];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await addCodeCache(one, resolve(dirOf(one)), node);
  };
  const stop = (): void => void waiting.splice(0);
  const workers = Array.from({ length: availableParallelism() }, () => work().finally(stop));
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  for (const one of functions) removeCodeCache(dirOf(one));
  throw failed.reason;
};

const removeCodeCache = (dir: string): void => {
  for (const name of [entry, cacheFolder]) rmSync(join(dir, name), { recursive: true, force: true });
};

const addCodeCache = async (one: AwaitedFunction, dir: string, node: string): Promise<void> => {
  await runWithSample('make.ts', one, dir, node);
  await build({
    entryPoints: [join(import.meta.dirname, 'code-cache', 'start.ts')],
    outfile: join(dir, entry),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'silent',
  });
  const said = await runWithSample('check.ts', one, dir, node);
  if (said.includes('"code_cache_unused"'))
    throw new Error(`${node} does not take the cache it made of ${bundleName(one)}`);
};

/** What a function said when it was called once, in a process of its own. */
const runWithSample = async (script: string, one: AwaitedFunction, dir: string, node: string): Promise<string> => {
  const path = join(import.meta.dirname, 'code-cache', script);
  const asked = [...lambdaFlags, path, dir, resolve(sampleOf(one))];
  const { stdout } = await run(node, asked, { ...limits, env: environmentOf(one) }).catch((error) => {
    const end = error.signal ? `was ended by ${error.signal}` : `ended with ${error.code}`;
    const why = /^\w*Error.*/m.exec(String(error.stderr))?.[0];
    throw new Error(`${node} ${end} in ${script} of ${bundleName(one)}${why ? ` (${why})` : ''}`, { cause: error });
  });
  return stdout;
};

/** What a deployed function has in its environment, with nothing of this machine's: neither credentials nor names. */
const environmentOf = (one: AwaitedFunction): Record<string, string> => {
  const { secrets = [], send = [] } = one.grants;
  const names = [...variables, ...secrets.map(variableOfSecret), ...send.map(variableOfQueue)];
  return {
    ...Object.fromEntries(names.map((name) => [name, 'none'])),
    ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  };
};

/** Which Node makes the caches, or why there are none. */
export type Maker = { node: string; version: string } | { reason: string };

/**
 * A Node for the processor that functions run on: `CODE_CACHE_NODE` if it is set (`none`: no caches), else the package that npm has
 * installed here. npm installs only that of the machine it runs on.
 */
export const findMaker = async (arch: 'arm64' | 'x64', named = process.env['CODE_CACHE_NODE']): Promise<Maker> => {
  if (named === 'none') return { reason: 'CODE_CACHE_NODE is none' };
  const node = named ?? resolve('node_modules', `node-linux-${arch}`, 'bin', 'node');
  if (!existsSync(node))
    return { reason: named ? `${node} is not there` : `no Node for Linux on ${arch} runs on this machine` };
  const says = ['-p', 'process.platform + "-" + process.arch + " " + process.version'];
  const { stdout } = await run(node, says, limits).catch(() => ({ stdout: 'does not run here' }));
  const [platform, version = ''] = stdout.trim().split(' ');
  return platform === `linux-${arch}`
    ? { node, version }
    : { reason: `${node} is no Node for Linux on ${arch} that runs here` };
};

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { build } from 'esbuild';
import { bundle, bundleName } from '#lib/build/bundle.ts';
import { entry } from '#lib/build/code-cache/deployed.ts';
import { addCodeCaches } from '#lib/build/code-cache.ts';
import { callInFreshProcess } from '#test/support/fresh-process.ts';
import { startTlsAws, type TlsCall } from '#test/support/tls-dynamo.ts';
import type { ColdCase } from './cold-cases.ts';
import { median } from './measure.ts';

/** Bundles a hand-written operation as esbuild does by default for ES modules on Node. `entry`: its file in test/bench. */
export const bundleByHand = async (entry: string, folder: string): Promise<string> => {
  const outfile = join(folder, `${basename(entry, extname(entry))}.mjs`);
  await build({
    entryPoints: [join('test/bench', entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Some of the SDK's own dependencies are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return outfile;
};

type Name = 'ours' | 'baseline';
/** The same code of ours with a cache of what V8 makes of it. */
type Timed = Name | 'cached';
/** Both implementations, by the files that export `handler`. */
export type Codes = Record<Name, string> & { remove: () => void };

/** `dir`: where ours lies, if it is built already. */
export const buildBoth = async ({ operation }: ColdCase, dir?: string): Promise<Codes> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  return {
    ours: join(dir ?? (await buildOurs(operation, folder)), 'index.js'),
    baseline: await bundleByHand(`baseline/${operation.name}.ts`, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export const buildOurs = async (operation: ColdCase['operation'], folder: string): Promise<string> => {
  const { bundles } = await bundle({ outdir: join(folder, 'dist'), functions: [operation] });
  return bundles.get(bundleName(operation))?.dir ?? '';
};

/** Makes a cache for ours in a copy of its folder, as a deployment does, by this Node. */
export const cachedOurs = async ({ operation }: ColdCase, ours: string, folder: string): Promise<string> => {
  const dir = join(folder, 'cached');
  cpSync(dirname(ours), dir, { recursive: true });
  await addCodeCaches({ functions: [operation], dirOf: () => dir, node: process.execPath });
  return join(dir, entry);
};

export type ColdStart = { cpuMilliseconds: number; wallMilliseconds: number };

/** Calls one implementation in a new process; answers what it took and what it sent. */
export const coldCall = async (
  code: string,
  { rows, event, environment }: ColdCase,
  flags?: readonly string[],
): Promise<ColdStart & { sent: readonly TlsCall[]; loaded: string[]; said: string[] }> => {
  await using aws = await startTlsAws(rows());
  const calls = [{ code, event: event() }];
  const { statuses, ...took } = await callInFreshProcess(calls, { ...aws.environment, ...environment }, flags);
  if (statuses[0] !== 200) throw new Error(`${code} answered ${statuses[0]}`);
  return { ...took, sent: aws.calls };
};

/** What differs from run to run: times, what is drawn at random, and what follows from either. */
const passing: readonly [RegExp, string][] = [
  [/20\d\d-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d{3}Z/g, 'time'],
  [/20\d\d-\d\d-\d\dT\d\d(?=\|)/g, 'hour'],
  [/"hour":\{"N":"\d+"\}/g, '"hour":{}'],
  [/sbx_\w{32}([\w.]+)\.\w+\.\w{32}/g, 'sbx$1'],
  [/fw-\d{16}-\w{8}/g, 'key'],
  [/(?<!\d)7\d{22}(?!\d)/g, 'arn'],
  [/("auth_?code":\{"S":)"\d{6}"/gi, '$1"code"'],
  [/(\\"vrfy\\":)\\"[\da-f]{64}\\"/g, '$1'],
  [/(?<!\d)1\d{15}(?!\d)/g, 'id'],
  [/(":ttl":\{"N":)"\d{10}"/g, '$1"seconds"'],
  // The hash of an order signs the second in which it was made.
  [/HASH#(\d+)#[\da-f]{64}/g, 'HASH#$1'],
  [/("ttl":\{"N":)"\d{10}"/g, '$1"seconds"'],
  // By what a look-up is called, its day; and how long it took.
  [/([\da-f]{64})-20\d\d-\d\d-\d\d/g, '$1-day'],
  [/(\\"milliseconds\\":)\d+/g, '$1'],
  [/localhost:\d+/g, 'localhost'],
  [/DUE#\d+/g, 'DUE'],
  [/#all\.\d+/g, '#all'],
  [/(BALANCE#\d+)#\d+/g, '$1'],
];

/** What was sent, without what differs from run to run. */
export const workOf = (sent: readonly TlsCall[]): unknown => {
  const text = JSON.stringify(sent, (name, value: unknown) => (name === 'ClientRequestToken' ? undefined : value));
  return JSON.parse(passing.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text));
};

/** Medians of `runs` cold starts of each, one after the other in turn. */
export const measureColdStarts = async (
  one: ColdCase,
  runs: number,
  progress: (done: number) => void,
): Promise<Record<Timed, ColdStart>> => {
  const both = await buildBoth(one);
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  const taken: Record<Timed, ColdStart[]> = { ours: [], cached: [], baseline: [] };
  try {
    const codes = { ...both, cached: await cachedOurs(one, both.ours, folder) };
    for (let run = 0; run <= runs; run += 1) {
      const order: Timed[] = ['ours', 'cached', 'baseline'];
      for (const name of run % 2 === 0 ? order : order.reverse()) {
        const took = await coldCall(codes[name], one);
        // The first one fills the file cache.
        if (run > 0) taken[name].push(took);
      }
      progress(run);
    }
  } finally {
    both.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const mediansOf = (all: readonly ColdStart[]): ColdStart => ({
    cpuMilliseconds: median(all.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    wallMilliseconds: median(all.map(({ wallMilliseconds }) => wallMilliseconds)),
  });
  return { ours: mediansOf(taken.ours), cached: mediansOf(taken.cached), baseline: mediansOf(taken.baseline) };
};

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import { bundle, bundleName } from '#lib/build/bundle.ts';
import { callInFreshProcess } from '#test/support/fresh-process.ts';
import { startTlsAws, type TlsCall } from '#test/support/tls-dynamo.ts';
import { type ColdCase, coldUpdate } from './cold-cases.ts';
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

/** Bundles `update-alert` as written by hand, with which all cold starts are compared. */
export const buildBaseline = (folder: string): Promise<string> => bundleByHand('baseline/update-alert.ts', folder);

export const buildOurs = async (operation: ColdCase['operation'], folder: string): Promise<string> => {
  const { bundles } = await bundle({ outdir: join(folder, 'dist'), functions: [operation] });
  return bundles.get(bundleName(operation))?.dir ?? '';
};

export type ColdStart = { cpuMilliseconds: number; wallMilliseconds: number };

/** Calls one implementation in a new process; returns its times and what it sent to AWS. */
export const coldCall = async (
  code: string,
  { rows, event, environment }: ColdCase,
): Promise<ColdStart & { sent: readonly TlsCall[] }> => {
  await using aws = await startTlsAws(rows());
  const { statuses, ...took } = await callInFreshProcess([{ code, event: event() }], {
    ...aws.environment,
    ...environment,
  });
  if (statuses[0] !== 200) throw new Error(`${code} answered ${statuses[0]}`);
  return { ...took, sent: aws.calls };
};

/** Replaces what differs from run to run: times and what is derived from them, random choices, and ports. */
const passing: readonly [RegExp, string][] = [
  [/20\d\d-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d\.\d{3}Z/g, 'time'],
  [/20\d\d-\d\d-\d\dT\d\d(?=\|)/g, 'hour'],
  [/"hour":\{"N":"\d+"\}/g, '"hour":{}'],
  [/(":ttl":\{"N":)"\d{10}"/g, '$1"seconds"'],
  [/("ttl":\{"N":)"\d{10}"/g, '$1"seconds"'],
  [/localhost:\d+/g, 'localhost'],
  [/DUE#\d+/g, 'DUE'],
  [/#all\.\d+/g, '#all'],
];

/** Returns what was sent, without what differs from run to run. */
export const maskWork = (sent: readonly TlsCall[]): unknown => {
  const text = JSON.stringify(sent, (name, value: unknown) => (name === 'ClientRequestToken' ? undefined : value));
  return JSON.parse(passing.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text));
};

/** Medians of `runs` cold starts of a case and of `update-alert` by hand, in turns. */
export const measureColdStarts = async (
  one: ColdCase,
  runs: number,
  progress: (done: number) => void,
): Promise<Record<'ours' | 'baseline', ColdStart>> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  const taken = { ours: [] as ColdStart[], baseline: [] as ColdStart[] };
  try {
    const ours = join(await buildOurs(one.operation, folder), 'index.js');
    const baseline = await buildBaseline(folder);
    const calls = { ours: () => coldCall(ours, one), baseline: () => coldCall(baseline, coldUpdate) };
    for (let run = 0; run <= runs; run += 1) {
      for (const name of run % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)) {
        const took = await calls[name]();
        // The first run fills the file cache.
        if (run > 0) taken[name].push(took);
      }
      progress(run);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const mediansOf = (all: readonly ColdStart[]): ColdStart => ({
    cpuMilliseconds: median(all.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    wallMilliseconds: median(all.map(({ wallMilliseconds }) => wallMilliseconds)),
  });
  return { ours: mediansOf(taken.ours), baseline: mediansOf(taken.baseline) };
};

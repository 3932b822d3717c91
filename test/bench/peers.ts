import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { coldUpdate } from './cold-cases.ts';
import { buildBaseline, buildOurs, bundleByHand, type ColdStart, coldCall, workOf } from './cold-start.ts';
import { median } from './measure.ts';
import { milliseconds, progress, ratio, step } from './report.ts';
import type { Finding } from './table.ts';

/**
 * Frameworks around the same hand-written code that the service is compared with: one route, its body read, its answer returned.
 */
const peers = ['hono', 'powertools', 'express', 'fastify'] as const;
const isInstalled = (): boolean => existsSync('test/bench/peers/node_modules');

const notInstalled: Finding = {
  what: 'update-alert in other frameworks',
  measured: 'not installed: npm ci --prefix test/bench/peers',
  goal: '',
  isMet: null,
};

const byHand = 'by hand';
const ours = 'Forewarn';

const buildAll = async (folder: string): Promise<Map<string, string>> => {
  const built = new Map([
    [byHand, await buildBaseline(folder)],
    [ours, join(await buildOurs(coldUpdate.operation, folder), 'index.js')],
  ]);
  for (const peer of peers) built.set(peer, await bundleByHand(`peers/${peer}.mjs`, folder));
  return built;
};

/** One cold start of each in every round, each round from another on. Throws where one sends anything else than the others. */
export const measurePeers = async (runs: number): Promise<Finding[]> => {
  if (!isInstalled()) return [notInstalled];
  step(`Cold starts of update-alert in ${peers.length} frameworks, ${runs} of each`);
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  try {
    const built = await buildAll(folder);
    const names = [...built.keys()];
    const taken = new Map<string, ColdStart[]>(names.map((name) => [name, []]));
    let work: unknown;
    for (let run = 0; run <= runs; run += 1) {
      for (const name of [...names.slice(run % names.length), ...names.slice(0, run % names.length)]) {
        const { sent, ...took } = await coldCall(built.get(name) ?? '', coldUpdate);
        work ??= workOf(sent);
        if (!isDeepStrictEqual(work, workOf(sent))) throw new Error(`${name} does other work than the code by hand`);
        // The first one fills the file cache.
        if (run > 0) taken.get(name)?.push(took);
      }
      progress(`Cold starts in frameworks, ${run} of ${runs}`);
    }
    const cpuOf = (name: string) => median((taken.get(name) ?? []).map(({ cpuMilliseconds }) => cpuMilliseconds));
    return [ours, ...peers].map((name) => ({
      what: `update-alert with ${name}, CPU against the code by hand`,
      measured: `${ratio(cpuOf(name) / cpuOf(byHand))}  (${milliseconds(cpuOf(name))} to ${milliseconds(cpuOf(byHand))})`,
      goal: '',
      isMet: null,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

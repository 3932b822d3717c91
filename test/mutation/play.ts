import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plan, planVariable, type Report, readReports, report } from './plan.ts';

const checkMilliseconds = 1000;

const vitest = join(import.meta.dirname, '../../node_modules/.bin/vitest');
const config = join(import.meta.dirname, 'vitest.config.ts');

/** Without what a Vitest that runs this has set for its workers. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));

/**
 * Runs Vitest on the plan and returns what it reported. A mutant whose code never gives way to anything else is found by its silence: the
 * process is then killed, and the mutant counts as killed. The tests after it are left to the next call.
 * `maxSilenceMilliseconds`: longer than any test file takes without reporting anything.
 */
export const play = async (plan: Omit<Plan, 'output'>, maxSilenceMilliseconds: number): Promise<Report[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-mutants-'));
  const output = join(folder, 'reports');
  const planFile = join(folder, 'plan.json');
  writeFileSync(output, '');
  writeFileSync(planFile, JSON.stringify({ ...plan, output }));
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: plan.root,
    env: {
      ...ownEnvironment(),
      [planVariable]: planFile,
      NODE_COMPILE_CACHE: join(plan.root, 'node_modules/.cache/compiled'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-4000);
  });
  let silentSince = { size: 0, at: Date.now() };
  let isSilent = false;
  const watch = setInterval(() => {
    const { size } = statSync(output);
    if (size !== silentSince.size) silentSince = { size, at: Date.now() };
    isSilent = Date.now() - silentSince.at > maxSilenceMilliseconds;
    if (isSilent && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, checkMilliseconds);
  await once(child, 'close');
  clearInterval(watch);
  const reports = readReports(output);
  const last = reports.at(-1);
  if (isSilent && last?.type === 'begun') {
    const killed: Report = { type: 'killed', test: last.test, mutant: last.mutant, how: 'does not end' };
    report(output, killed);
    reports.push(killed);
  }
  rmSync(folder, { recursive: true, force: true });
  if (reports.length === 0 && text !== '') throw new Error(`Vitest reported nothing:\n${text}`);
  return reports;
};

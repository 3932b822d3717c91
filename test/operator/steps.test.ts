import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readSettings } from '#lib/cloud/settings.ts';
import { proveSteps, unproved } from '#lib/operator/steps/prove-steps.ts';
import { restoreSteps } from '#lib/operator/steps/restore-steps.ts';
import { type OperatorStep, runSteps, stepPlan, stepPlanData, stepReport } from '#lib/operator/steps/step-runner.ts';
import { programEnvironment } from '#test/support/command.ts';

const steps: readonly OperatorStep[] = ['one', 'two', 'three'].map((name) => ({
  ...{ name, why: `for ${name}`, command: `run ${name}`, permissions: [`svc:${name}`] },
}));

/** Runs the steps where these commands fail. Returns what was run, saved and reported. */
const play = async (failing: readonly string[], finished: readonly string[] = []) => {
  const ran: string[] = [];
  let saved: readonly string[] = finished;
  let clock = 0;
  const results = await runSteps({
    ...{ steps, finished, say: () => undefined },
    run: async (command) => {
      ran.push(command);
      clock += 2000;
      return failing.includes(command) ? { code: 1, output: 'AccessDenied' } : { code: 0, output: 'ok' };
    },
    save: (done) => {
      saved = [...done];
    },
    nowMilliseconds: () => clock,
  });
  return { ran, saved, results };
};

describe('a procedure', () => {
  it('runs its steps in order and saves each', async () => {
    const { ran, saved, results } = await play([]);
    expect(ran).toEqual(['run one', 'run two', 'run three']);
    expect(saved).toEqual(['one', 'two', 'three']);
    expect(results[0]).toEqual({ name: 'one', state: 'done', seconds: 2, output: 'ok' });
  });

  it('stops at a failed step, reports the remaining ones, and resumes there when run again', async () => {
    const { ran, saved, results } = await play(['run two']);
    expect([ran, saved]).toEqual([['run one', 'run two'], ['one']]);
    expect(results.map(({ state }) => state)).toEqual(['done', 'failed', 'not run']);
    const report = stepReport('Proof', results);
    expect(report).toContain('Not run: three.');
    expect(report).toContain('AccessDenied');
    const again = await play([], saved);
    expect([again.ran, again.saved]).toEqual([
      ['run two', 'run three'],
      ['one', 'two', 'three'],
    ]);
    expect(stepReport('Proof', again.results)).toContain('Every step was run.');
  });

  it('shows every command and its permissions in its plan', () => {
    const plan = stepPlan(steps, { STAGE: 'x' }).join('\n');
    expect(stepPlanData(steps, { STAGE: 'x' })).toEqual({ variables: { STAGE: 'x' }, steps });
    expect(plan).toContain('export STAGE=x');
    for (const { name, command, permissions } of steps)
      for (const text of [name, command, permissions.join()]) expect(plan).toContain(text);
  });
});

describe.each([
  ['restore', restoreSteps],
  ['prove', proveSteps],
] as const)('the steps of npm run %s', (script, own) => {
  it.each(own)('$name is valid bash and names its permissions', async ({ command, permissions }) => {
    await promisify(execFile)('bash', ['-nc', command]);
    for (const one of permissions) expect(one).toMatch(/^[a-z0-9]+:[A-Z]\w+( on \S+)?$/);
    expect(permissions.length).toBeGreaterThan(0);
  });

  it('have unique names and use only variables that the command sets', async () => {
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`bin/${script}.ts`, '--plan', '--stage', 'proof', '--region', 'eu-west-1'],
      { env: programEnvironment() },
    );
    for (const { name, command } of own) {
      expect(stdout).toContain(name);
      for (const [, variable = ''] of command.matchAll(/\$\{?([A-Z][A-Z_]*)/g)) {
        const isSet = stdout.includes(`export ${variable}=`) || command.includes(`${variable}=$(`);
        expect(isSet, variable).toBe(true);
      }
    }
  });
});

describe('npm run prove', () => {
  it('refuses a stage that is not ephemeral', async () => {
    const run = promisify(execFile)(process.execPath, ['bin/prove.ts', '--stage', 'example', '--region', 'eu-west-1'], {
      env: programEnvironment(),
    });
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('must have "ephemeral": true') });
  });

  it('never runs on a protected stage', () => {
    const context: Record<string, string> = { stage: 'prod', operationsEmail: 'ops@shop.example', ephemeral: 'true' };
    expect(() => readSettings((name) => context[name])).toThrow('must not be destroyed by a proof');
  });

  it('deploys N−1, N, N−1 and N in this order, and destroys everything at the end', () => {
    const names = proveSteps.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(['deploy the previous release', 'upgrade', 'go back', 'deploy again']);
    expect(names.at(-1)).toBe('destroy everything');
    expect(unproved.length).toBeGreaterThan(0);
  });
});

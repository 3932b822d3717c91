import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import { proveSteps } from '#lib/operator/steps/prove-steps.ts';
import { hasReceivedAlert, readProvedMerchant } from '#lib/operator/steps/received-webhooks.ts';
import { programEnvironment } from '#test/support/command.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { logAnswer, startStageReceiver } from '#test/support/stage-receiver.ts';

/**
 * Runs the probes of `npm run prove` against the local stack. A program `aws` gives the answers that the AWS CLI gives.
 */

const run = promisify(execFile);
const root = process.cwd();

describe('the probes of npm run prove', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-prove-'));
  let service: TestStack;
  let receiver: Awaited<ReturnType<typeof startStageReceiver>>;
  let merchantText = '';

  beforeAll(async () => {
    service = await startStack({ real: true });
    receiver = await startStageReceiver(Date.now);
    mkdirSync(join(folder, 'dist/prove'), { recursive: true });
    symlinkSync(join(root, 'bin'), join(folder, 'bin'));
    writeEndpoints(folder, service.stack.endpoints());
    const { stdout } = await run(
      process.execPath,
      [resolve('bin/init.ts'), '--local', '--yes', '--networks', 'provider_a', '--endpoint', receiver.url],
      { env: { ...programEnvironment(), DATA_DIR: folder } },
    );
    merchantText = stdout;
    writeFileSync(join(folder, 'dist/prove/merchant.txt'), stdout);
    await service.untilIdle();
  });
  afterAll(async () => {
    receiver.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a step where the AWS CLI answers as recorded. */
  const play = async (name: string, url = service.url) => {
    const step = proveSteps.find((one) => one.name === name);
    if (!step) throw new Error(`There is no step ${name}`);
    const programs = mkdtempSync(join(folder, 'programs-'));
    const ring = JSON.stringify({ current: 'k2', k1: 'old', k2: service.credentials.providers.provider_a });
    writeFileSync(join(programs, 'stacks'), `${url}/\n`);
    writeFileSync(join(programs, 'secret'), `${ring}\n`);
    writeFileSync(join(programs, 'logs'), receiver.log(0));
    const answers = 'cloudformation) cat "$0.d/stacks";; secretsmanager) cat "$0.d/secret";; logs) cat "$0.d/logs";;';
    writeFileSync(join(programs, 'aws'), `#!/bin/sh\ncase $1 in ${answers} *) exit 1;; esac\n`);
    symlinkSync(programs, join(programs, 'aws.d'));
    // The stack has a clock of its own.
    const seconds = Math.floor(service.clock.now().getTime() / 1000);
    writeFileSync(join(programs, 'date'), `#!/bin/sh\necho ${seconds}\n`);
    for (const program of ['aws', 'date']) chmodSync(join(programs, program), 0o755);
    const environment = programEnvironment();
    const env = { ...environment, PATH: `${programs}:${environment['PATH']}`, STAGE: 'proof', AWS_REGION: 'eu-west-1' };
    return run('bash', ['-ec', step.command], { cwd: folder, env });
  };

  it.each(['probe the gateway', 'probe the intake', 'receive the webhook', 'answer the alert'])(
    'pass on the local stack: %s',
    async (name) => {
      await play(name);
    },
  );

  it('find the intake at fault if it accepts nothing', async () => {
    await expect(play('probe the intake', `${service.url}/no-such-base`)).rejects.toMatchObject({ code: 1 });
  });

  it('do not accept a webhook that another secret has signed', () => {
    const merchant = readProvedMerchant(merchantText);
    expect(hasReceivedAlert(receiver.log(0), merchant)).toBe(true);
    expect(hasReceivedAlert(logAnswer([]), merchant)).toBe(false);
    const forged = { ...merchant, signingSecret: `whsec_${Buffer.from('another').toString('base64')}` };
    expect(() => hasReceivedAlert(receiver.log(0), forged)).toThrow('is not signed with the merchant');
  });
});

describe('npm run init --confirm', () => {
  it('is refused for a stage that is not ephemeral', async () => {
    const args = ['bin/init.ts', '--deployed', '--yes', '--confirm', '--stage', 'example', '--region', 'eu-west-1'];
    const ran = run(process.execPath, args, { env: programEnvironment() });
    await expect(ran).rejects.toMatchObject({ stderr: expect.stringContaining('for ephemeral stages') });
  });
});

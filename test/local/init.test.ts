import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import { handOverOf } from '#lib/operator/init/hand-over.ts';
import { parseNetworks } from '#lib/operator/init/questions.ts';
import { programEnvironment } from '#test/support/command.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const program = resolve('bin/init.ts');
const run = async (args: string[], cwd: string, environment: Record<string, string> = {}) => {
  const env = { ...programEnvironment(), NO_COLOR: '1', ...environment };
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status };
};

const folder = mkdtempSync(join(tmpdir(), 'forewarn-init-'));
mkdirSync(join(folder, 'stages'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run init', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ real: true });
    writeEndpoints(folder, service.stack.endpoints());
  });
  afterAll(() => service.stop());

  it('ends with a merchant that receives a test alert on the local service', async () => {
    const endpoint = service.sinks.url('init');
    const args = ['--local', '--yes', '--merchant', 'Tea House', '--networks', 'provider_a', '--endpoint', endpoint];
    const { status, stdout, stderr } = await run(args, process.cwd(), { DATA_DIR: folder });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`provider_a: alerts to ${service.url}/api/v3/providers/provider_a/alerts`);
    const [, alertId = ''] = /Test alert (\d+) for TEA HOUSE is OPEN/.exec(stdout) ?? [];
    const [, username = '', password = ''] = /first manager: username (\S+), password (\S+)/.exec(stdout) ?? [];
    await service.untilIdle();
    expect(service.sinks.got('init').map(({ body }) => new URLSearchParams(body).get('alert_id'))).toEqual([alertId]);
    const signedIn = await fetch(`${service.url}/api/v2/index.php/gettoken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    expect(signedIn.status).toBe(200);
  });

  it('prints what it has set up as JSON for programs', async () => {
    const endpoint = service.sinks.url('init');
    const args = ['--local', '--yes', '--json', '--merchant', 'Coffee House', '--networks', 'provider_a'];
    const { status, stdout, stderr } = await run([...args, '--endpoint', endpoint], process.cwd(), {
      DATA_DIR: folder,
    });
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      url: service.url,
      // The run before has created it.
      operator: { username: 'first-operator', password: null },
      merchant: { mid: expect.any(Number) },
      alert: { status: 'OPEN' },
      networks: [{ network: 'provider_a' }],
    });
  });
});

describe('npm run init, run again or with wrong answers', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ real: true });
    writeEndpoints(folder, service.stack.endpoints());
  });
  afterAll(() => service.stop());
  const local = (...args: string[]) => run(['--local', '--yes', ...args], process.cwd(), { DATA_DIR: folder });
  const countSites = async (): Promise<number> => {
    const token = await service.tokenOf('admin');
    const { body } = await service.call('/api/v3/site/list', { token, body: {} });
    return Array.isArray(body['list']) ? body['list'].length : -1;
  };

  it.each([
    [
      ['--endpoint', 'not a url'],
      '--endpoint: must be an address such as https://shop.example/webhooks, not not a url.',
    ],
    [['--endpoint', 'ftp://shop.example'], '--endpoint: must be an address'],
    [['--site-url', 'shop'], '--site-url: must be an address such as https://shop.example, not shop.'],
    [['--currency', 'doubloons'], '--currency: must be a code of ISO 4217 such as USD, not doubloons.'],
  ])('refuses %j before anything is created', async (args, words) => {
    const before = await countSites();
    const { status, stdout, stderr } = await local('--merchant', 'Wrong House', ...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(stdout).not.toContain('password');
    expect(await countSites()).toBe(before);
  });

  it('succeeds with the defaults, makes no test alert without an endpoint, and creates nothing twice', async () => {
    const first = await local('--merchant', 'Cake House');
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('No test alert is made: the site has no address for webhooks yet (--endpoint).');
    const before = await countSites();
    const again = await local('--merchant', 'Cake House');
    expect([again.status, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toContain('first-operator was created by an earlier run.');
    expect(again.stdout).toMatch(/Cake House is merchant \d+ with site \d+: an earlier run has created it/);
    expect(await countSites()).toBe(before);
  });
});

describe('npm run init for a stage in AWS', () => {
  it('writes the stage file, prints how to deploy it, and does not replace it', async () => {
    const args = ['--yes', '--stage', 'test', '--region', 'eu-west-1', '--domain', 'tea.example'];
    const { status, stdout } = await run(args, folder);
    expect(status).toBe(0);
    expect(stdout).toContain('AWS_REGION=eu-west-1 npm run deploy -- -c stage=test');
    expect(JSON.parse(readFileSync(join(folder, 'stages/test.json'), 'utf8'))).toEqual({
      alertDomain: 'tea.example',
      mailFrom: 'alerts@tea.example',
      operationsEmail: 'operations@tea.example',
      lambdaConcurrency: 1000,
    });
    const again = await run(args, folder);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('stages/test.json exists.')]);
  });

  it.each([
    [['--stage', 'Too Long A Name'], 'stage: must be 1 to 12 lower-case letters and digits'],
    [['--mail-from', 'alerts@other.example'], 'mailFrom: must be an address of alertDomain'],
    [['--networks', 'provider_x'], 'There is no network provider_x; there are provider_a, provider_b, rdr.'],
  ])('refuses %j', async (args, words) => {
    const { status, stderr } = await run(['--yes', ...args], folder);
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  });

  it('names the secret in which each network finds its key', () => {
    expect(handOverOf('https://api.tea.example/prod', parseNetworks('rdr'), 'prod')).toEqual([
      {
        network: 'rdr',
        address: 'https://api.tea.example/prod/api/v3/providers/rdr/alerts',
        secret: 'forewarn-prod/rdr in AWS Secrets Manager',
      },
    ]);
  });
});

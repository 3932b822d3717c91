import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nowIso } from '#core/kernel/clock.ts';
import { httpGateway } from '#payments/processors/http/http-gateway-client.ts';

/** The services of the guide let Forewarn find a charge, refund it once, and learn the result, exactly as printed. */

const folder = mkdtempSync(join(tmpdir(), 'forewarn-charges-'));
beforeAll(() => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
});
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  rmSync(folder, { recursive: true });
});

const services = 'docs/guides/receivers';
const languages = [
  { name: 'Node', program: process.execPath, args: () => [`${services}/charges.mjs`] },
  { name: 'Python', program: 'python3', args: () => [`${services}/charges.py`] },
  { name: 'PHP', program: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, `${services}/charges.php`] },
] as const;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  child = undefined;
});

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Starts a service and waits until it listens. */
const start = async ({ name, program, args }: (typeof languages)[number]) => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), SIGNING_SECRET: secret, STATE_FILE: join(folder, `${name}.json`) };
  const started = spawn(program, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  await new Promise<void>((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (/listening on|started/.test(text)) resolve();
    };
    started.stdout.on('data', read);
    started.stderr.on('data', read);
    started.once('exit', (code) => reject(new Error(`It ended with ${code} and said: ${text}`)));
  });
  return `http://127.0.0.1:${port}`;
};

for (const language of languages) {
  const isAbsent = spawnSync(language.program, ['--version']).status !== 0;
  if (isAbsent)
    console.warn(`!!! ${language.program} is not installed: the service in ${language.name} is NOT tested.`);
  describe.skipIf(isAbsent)(`the merchant's own service in ${language.name}`, () => {
    it('is found to work, finds the charge, and refunds it once', async () => {
      const base_url = await start(language);
      const gateway = httpGateway({ base_url, secret });
      expect(await gateway.check()).toEqual({ isWorking: true });
      const found = await gateway.find({
        ...{ arn: '', authCode: '', first6: '411111', last4: '1111', descriptor: 'SHOP' },
        ...{ money: { minor: 4520n, currency: 'USD' }, day: nowIso() },
      });
      expect(found).toMatchObject({
        isWhole: true,
        candidates: [{ reference: 'ch_1', captured: 4520n, brand: 'VISA' }],
      });
      const order = {
        ...{ reference: 'ch_1', money: { minor: 2000n, currency: 'USD' }, key: 'alert-1', begunAt: nowIso() },
        ...{ reason: 'dispute' as const, alertId: 1 },
      };
      const first = await gateway.refund(order);
      expect(first).toMatchObject({ outcome: 'OK' });
      expect(await gateway.refund(order)).toEqual(first);
      expect(await gateway.refundState(order)).toEqual(first);
      expect(await gateway.look('ch_1')).toMatchObject({ refunded: 2000n });
      const rest = { ...order, key: 'alert-2', money: { minor: 2521n, currency: 'USD' } };
      expect(await gateway.refund(rest)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
      const stranger = httpGateway({ base_url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
      expect(await stranger.check()).toMatchObject({ isWorking: false, problem: 'credentials' });
    });
  });
}

it('has a page that names each of them', () => {
  const page = readFileSync('docs/guides/connect-your-service.md', 'utf8');
  for (const name of ['charges.mjs', 'charges.py', 'charges.php']) {
    expect(page).toContain(name);
    expect(existsSync(`${services}/${name}`)).toBe(true);
  }
});

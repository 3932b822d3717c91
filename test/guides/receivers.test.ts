import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deliveryOf, receive, settings, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

/** The receivers of the guides accept, exactly as printed, what the service really sends, and nothing else. */

let service: TestStack;
beforeAll(async () => {
  // The receivers ask the system what time it is.
  service = await startStack({ startTime: 'now' });
});
afterAll(() => service.stop());

const folder = 'docs/guides/receivers';
const languages = [
  { name: 'Node', program: process.execPath, args: () => [`${folder}/receiver.mjs`] },
  { name: 'Python', program: 'python3', args: () => [`${folder}/receiver.py`] },
  { name: 'PHP', program: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, `${folder}/receiver.php`] },
] as const;

const missing = ({ program }: { program: string }): boolean => spawnSync(program, ['--version']).status !== 0;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Everything a program prints, and a way to wait for a part of it. */
const outputOf = (child: ChildProcess) => {
  let text = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const look of waiting) look();
    });
  }
  return {
    text: () => text,
    until: (wanted: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!wanted.test(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        child.once('exit', (code) => reject(new Error(`It ended with ${code} and said: ${text}`)));
        look();
      }),
  };
};

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  child = undefined;
});

const start = async (language: (typeof languages)[number], secret: string) => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), SIGNING_SECRET: secret, TOKEN: 'demo-webhook-token' };
  child = spawn(language.program, language.args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = outputOf(child);
  await output.until(/listening on|started/);
  const url = `http://127.0.0.1:${port}/`;
  expect(
    (await settings(service, { alertapiurl: url, statusupdate_url: url, token: 'demo-webhook-token' })).status,
  ).toBe(200);
  return output;
};

for (const language of languages) {
  const absent = missing(language);
  if (absent) console.warn(`!!! ${language.program} is not installed: the receiver in ${language.name} is NOT tested.`);
  describe.skipIf(absent)(`the receiver in ${language.name}`, () => {
    it.each(['form', 'json'])('takes alerts and status updates sent as %s', async (body_format) => {
      const output = await start(language, service.credentials.site.signing_secret);
      expect((await settings(service, { body_format })).status).toBe(200);
      const alertId = await receive(service);
      expect(await deliveryOf(service, alertId, 'new_alert')).toMatchObject({
        state: 'DELIVERED',
        attempts: [{ status: 204 }],
      });
      await output.until(new RegExp(`new_alert ${alertId} DISPUTE`));
      await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
      await output.until(new RegExp(`statusupdate ${alertId} RESOLVED`));
    });

    it('refuses what is signed with another secret', async () => {
      const output = await start(language, `whsec_${Buffer.from('some other secret').toString('base64')}`);
      const alertId = await receive(service);
      expect(await deliveryOf(service, alertId, 'new_alert')).toMatchObject({
        state: 'PENDING',
        attempts: [{ status: 401 }],
      });
      expect(output.text()).not.toContain(String(alertId));
    });
  });
}

describe('with body_format json', () => {
  it('verify() of standardwebhooks and of svix take the alert', async () => {
    service.sinks.clear('demo');
    const url = service.sinks.url('demo');
    await settings(service, {
      alertapiurl: url,
      statusupdate_url: url,
      token: 'demo-webhook-token',
      body_format: 'json',
    });
    const alertId = await receive(service);
    const [request] = service.sinks.got('demo');
    if (!request) throw new Error('Nothing came.');
    const { mid, rid, sid, signing_secret } = service.credentials.site;
    const alert = new StandardWebhook(signing_secret).verify(request.body, { ...request.headers });
    expect(alert).toMatchObject({ alert_id: String(alertId), alert_type: 'DISPUTE', mid, rid, sid, amount: '361.56' });
    expect(alert).toHaveProperty('txdetails', [
      { alert_transaction: null, transaction_action: null, transaction_potential_matches: null },
    ]);
    for (const Webhook of [StandardWebhook, SvixWebhook]) {
      const webhook = new Webhook(signing_secret);
      expect(() => webhook.verify(request.body, { ...request.headers })).not.toThrow();
      expect(() => webhook.verify(`${request.body} `, { ...request.headers })).toThrow();
    }
  });
});

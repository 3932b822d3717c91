import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoCredentials, demoCredentialsShape } from '#lib/local/demo/demo-tenant.ts';
import { expectNoLeaks, watch, watchFolder } from '#test/support/secret-leak-scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-crash-'));
let child: ChildProcess;
let url: string;
let credentials: DemoCredentials;

const start = async (): Promise<void> => {
  const { AWS_ENDPOINT_URL_DYNAMODB: _none, ...inherited } = process.env;
  child = spawn(process.execPath, ['bin/local.ts'], {
    env: { ...inherited, PORT: '0', DATA_DIR: folder, START_TIME: '2026-05-02T10:00:00Z', TIME_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = Promise.withResolvers<string>();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
    watch('a line of the program', String(chunk));
    const [, found] = /^ready (http:\S+)$/m.exec(output) ?? [];
    if (found !== undefined) ready.resolve(found);
  });
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  child.on('exit', () => ready.reject(new Error('The service ended before it was ready.')));
  url = await ready.promise;
  credentials = v.parse(demoCredentialsShape, await (await fetch(`${url}/_local/credentials`)).json());
};

const kill = async (): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

beforeAll(start);
afterAll(async () => {
  await kill();
  watchFolder(folder);
  rmSync(folder, { recursive: true, force: true });
  expectNoLeaks();
});

const IntakeResult = v.object({ alert_id: v.union([v.string(), v.number()]) });

/** Sends an alert; its identifier once it is acknowledged, undefined if the service died before. */
const send = async (name: string, seconds: number): Promise<string | undefined> => {
  const body = JSON.stringify({
    alertId: name,
    type: 'CUSTOMER_DISPUTE',
    alertTimestamp: '2026-05-02T10:00:00Z',
    cardBin: '411111',
    cardLast4: '1111',
    transactionTimestamp: '2026-04-30T08:15:00Z',
    merchantDescriptor: 'DEMO SHOP',
    amount: { value: '361.56', currencyCode: 'USD' },
    authCode: name.slice(-6),
  });
  const digest = createHmac('sha256', credentials.providers.provider_a).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `t=${seconds},v1=${digest}` };
  const response = await fetch(`${url}/api/v3/providers/provider_a/alerts`, { method: 'POST', headers, body }).catch(
    () => undefined,
  );
  if (!response) return undefined;
  expect(response.status).toBe(200);
  const text = await response.text().catch(() => '');
  return text === '' ? undefined : String(v.parse(IntakeResult, JSON.parse(text)).alert_id);
};

const Got = v.array(v.object({ body: v.string(), headers: v.looseObject({ 'webhook-id': v.string() }) }));
const notified = async (): Promise<string[]> => {
  const got = v.parse(Got, await (await fetch(`${url}/_local/sinks/demo`)).json());
  return got.map(({ body }) => new URLSearchParams(body).get('alert_id') ?? '');
};

it('loses nothing that was acknowledged, however often it is killed in the midst of work', async () => {
  const acknowledged: string[] = [];
  for (const round of [1, 2, 3]) {
    const { now } = v.parse(v.object({ now: v.string() }), await (await fetch(`${url}/_local/status`)).json());
    const seconds = Math.floor(Date.parse(now) / 1000);
    const sent = Array.from({ length: 20 }, (_, index) =>
      send(`CRASH${round}${String(index).padStart(6, '0')}`, seconds),
    );
    // The first answers mean that others are in every stage of being worked on.
    await Promise.any(sent.slice(round * 4));
    await kill();
    acknowledged.push(...(await Promise.all(sent)).filter((id) => id !== undefined));
    await start();
  }
  const move = await fetch(`${url}/_local/clock`, { method: 'POST', body: '{"advance":"PT13H"}' });
  expect(move.status).toBe(200);
  const arrived = new Set(await notified());
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !arrived.has(id))).toEqual([]);
});

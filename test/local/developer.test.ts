import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Notification, newLines } from '../../lib/local/developer/attempts.ts';
import { writeEndpoints } from '../../lib/local/endpoints.ts';
import { receive } from '../support/personas.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
const folder = mkdtempSync(join(tmpdir(), 'forewarn-developer-'));
beforeAll(async () => {
  service = await startStack();
  writeEndpoints(folder, { pid: process.pid, url: service.url, clockOffsetMilliseconds: 0, environment: {} });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (file: string, args: readonly string[], dataFolder = folder) =>
  spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataFolder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const run = async (file: string, ...args: string[]) => {
  const child = start(file, args);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err, status };
};

describe('npm run trigger', () => {
  it('makes an alert and shows what became of its webhook', async () => {
    const { out, err, status } = await run('bin/trigger.ts', 'fraud', '12.00');
    expect([err, status]).toEqual(['', 0]);
    expect(out).toMatch(
      /^alert \d+ {2}FRAUD 12\.00 USD\n10:00:\d\d {2}200 {2}new_alert .*\/_local\/sink\/demo {2}alert \d+\n$/,
    );
  });

  it('says why a webhook was not delivered, and when it is tried next', async () => {
    service.sinks.answer('demo', { status: 500, times: 1 });
    const { out } = await run('bin/trigger.ts', 'dispute', '5');
    expect(out).toContain('only 2xx counts as delivered; next try 2026-05-02T12:00Z');
    const { out: json } = await run('bin/trigger.ts', 'dispute', '6', '--json');
    expect(JSON.parse(json)).toMatchObject({ notifications: [{ kind: 'new_alert', state: 'DELIVERED' }] });
  });

  it('says what is wrong with its arguments, or that no stack runs', async () => {
    expect((await run('bin/trigger.ts')).out).toContain('npm run trigger');
    expect(await run('bin/trigger.ts', 'theft')).toMatchObject({
      status: 1,
      err: expect.stringContaining('theft is none of fraud,'),
    });
    expect(await run('bin/trigger.ts', 'fraud', 'much')).toMatchObject({
      status: 1,
      err: 'The amount is a decimal such as 12.00.\n',
    });
    const child = start('bin/trigger.ts', ['fraud'], tmpdir());
    expect(await text(child.stderr)).toContain('start it with npm start');
  });
});

describe('npm run listen', () => {
  it('sends the site’s webhooks to an endpoint, prints each, and sets the site back at its end', async () => {
    const child = start('bin/listen.ts', ['--forward-to', service.sinks.url('own')]);
    let out = '';
    const printed = (wanted: string): Promise<void> =>
      new Promise((resolve) => {
        const look = () => out.includes(wanted) && resolve();
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await printed('makes an alert');
    expect(out).toContain(`signed with ${service.credentials.site.signing_secret}`);
    const alertId = await receive(service);
    await printed(`alert ${alertId}`);
    expect(out).toMatch(new RegExp(`200 {2}new_alert .*/_local/sink/own {2}alert ${alertId}`));
    child.kill('SIGTERM');
    await once(child, 'close');
    const later = await receive(service);
    expect(service.sinks.got('own').some(({ body }) => body.includes(String(later)))).toBe(false);
    expect(service.sinks.got('demo').some(({ body }) => body.includes(String(later)))).toBe(true);
  });

  it('refuses what is no URL', async () => {
    expect(await run('bin/listen.ts', '--forward-to', 'here')).toMatchObject({
      status: 1,
      err: expect.stringContaining('is not a URL'),
    });
  });
});

it('each attempt is printed once, the oldest first', () => {
  const attempt = (at: string, status: number | null, error: string | null) => ({ at, status, error, latency_ms: 7 });
  const notification = (id: string, attempts: Notification['attempts'], next: string | null): Notification => ({
    id,
    kind: 'new_alert',
    state: 'PENDING',
    url: 'https://shop.example/',
    alert_id: 7,
    next_attempt_at: next,
    attempts,
  });
  const known = new Map<string, number>();
  const first = attempt('2026-05-02T10:00:00.000Z', null, 'connect');
  const list = [
    notification('b', [attempt('2026-05-02T10:00:01.000Z', 204, null)], null),
    notification('a', [first], '2026-05-02T12:00:00.000Z'),
  ];
  const lines = newLines(list, known);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('nobody listens there; next try 2026-05-02T12:00Z');
  expect(newLines(list, known)).toEqual([]);
  const again = [notification('a', [first, attempt('2026-05-02T12:00:00.000Z', 404, 'http_status')], null)];
  expect(newLines(again, known)).toEqual([expect.stringContaining('not tried again')]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Notification, newLines } from '#lib/local/developer/attempts.ts';
import { deliveryTexts } from '#lib/local/developer/delivery-watch.ts';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import { createJournal } from '#lib/local/journal.ts';
import { programEnvironment } from '#test/support/command.ts';
import { readAlert, receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { patiently } from '#test/support/wait-options.ts';

const service = await useStack({ real: true });
const folder = mkdtempSync(join(tmpdir(), 'forewarn-developer-'));
beforeAll(async () => {
  writeEndpoints(folder, service.stack.endpoints());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const start = (file: string, args: readonly string[], dataFolder = folder, stdin: 'ignore' | 'pipe' = 'ignore') =>
  spawn(process.execPath, [file, ...args], {
    env: { ...programEnvironment(), DATA_DIR: dataFolder },
    stdio: [stdin, 'pipe', 'pipe'],
  });
const readAll = (stream: Readable | null): Promise<string> => (stream ? text(stream) : Promise.resolve(''));
const run = async (file: string, ...args: string[]) => {
  const child = start(file, args);
  const [out, err, [status]] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'close')]);
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

  it.each([
    ['fraud', 'provider_a', 'FRAUD', 'OPEN'],
    ['cancel', 'provider_b', 'CANCEL', 'OPEN'],
    ['dispute-notice', 'provider_b', 'DISPUTE_NOTICE', 'INFORM'],
    ['rdr', 'rdr', 'DISPUTE_RDR', 'RESOLVED'],
  ])('plays a %s as its network sends it, signed, through the intake of %s', async (kind, provider, type, status) => {
    const { out, err } = await run('bin/trigger.ts', kind, '45.20', '--network', '--json');
    expect(err).toBe('');
    const shown = JSON.parse(out);
    expect(shown).toMatchObject({ status, provider_outcome: null, match: 'none', unasked: [] });
    const { history, ...alert } = (await readAlert(service, shown.alert_id)) as { history: object[] };
    expect(alert).toMatchObject({ provider, alert_type: type, test: false, amount: '45.20' });
    expect(history).toMatchObject([{ by: provider, via: 'intake' }]);
  });

  it('shows what became of an alert of a network', async () => {
    const { out } = await run('bin/trigger.ts', 'fraud', '45.20', '--network');
    expect(out).toMatch(
      /^alert \d+ {2}FRAUD 45\.20 USD\n.*new_alert.*\nOPEN no answer yet, nothing was sent to the network\ncharge: none\n$/,
    );
    const lost = await run('bin/trigger.ts', 'fraud', '45.20', '--network', '--descriptor', 'NOBODY');
    expect(lost).toMatchObject({ status: 1, err: expect.stringContaining('no site has enrolled NOBODY') });
  });

  it('says what is wrong with its arguments, or that no stack runs', async () => {
    expect((await run('bin/trigger.ts')).out).toContain('npm run trigger');
    expect(await run('bin/trigger.ts', 'theft')).toMatchObject({
      status: 1,
      err: expect.stringContaining('theft is not a type of alert: choose one of fraud,'),
    });
    expect(await run('bin/trigger.ts', 'fraud', 'much')).toMatchObject({
      status: 1,
      err: 'The amount is a decimal such as 12.00.\n',
    });
    const child = start('bin/trigger.ts', ['fraud'], tmpdir());
    expect(await readAll(child.stderr)).toContain('start it with npm start');
  });
});

/** The output of a command, and a promise for a part of it. */
const follow = ({ stdout }: ReturnType<typeof start>) => {
  let out = '';
  stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const printed = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const look = () => out.includes(wanted) && resolve();
      stdout?.on('data', look);
      look();
    });
  return { printed, out: () => out };
};

describe('npm run listen', () => {
  it('sends the site’s webhooks to an endpoint, prints each, and sets the site back at its end', async () => {
    const child = start('bin/listen.ts', ['--forward-to', service.sinks.url('own')], folder, 'pipe');
    const { printed, out } = follow(child);
    await printed('makes an alert');
    expect(out()).toContain(`signed with ${service.credentials.site.signing_secret}`);
    const alertId = await receive(service);
    await printed(`alert ${alertId}`);
    expect(out()).toMatch(new RegExp(`200 {2}new_alert .*/_local/sink/own {2}alert ${alertId}`));
    const sent = service.sinks.got('own').length;
    child.stdin?.write('r');
    await vi.waitUntil(() => service.sinks.got('own').length > sent, patiently);
    expect(service.sinks.got('own').at(-1)?.body).toContain(String(alertId));
    child.stdin?.write('q');
    await once(child, 'close');
    const later = await receive(service);
    expect(service.sinks.got('own').some(({ body }) => body.includes(String(later)))).toBe(false);
    expect(service.sinks.got('demo').some(({ body }) => body.includes(String(later)))).toBe(true);
  });

  it('listens again after the local stack is reset', async () => {
    const child = start('bin/listen.ts', ['--forward-to', service.sinks.url('own')], folder, 'pipe');
    const { printed, out } = follow(child);
    await printed('makes an alert');
    await service.call('/_local/reset');
    await printed('The local stack was reset.');
    expect(out()).toContain(`Now signed with ${service.credentials.site.signing_secret}`);
    const alertId = await receive(service);
    await printed(`/_local/sink/own  alert ${alertId}`);
    child.stdin?.write('q');
    await once(child, 'close');
  });

  it('refuses what is no URL', async () => {
    expect(await run('bin/listen.ts', '--forward-to', 'here')).toMatchObject({
      status: 1,
      err: expect.stringContaining('is not a URL'),
    });
  });
});

describe('npm run delivery', () => {
  it('shows a delivery with its attempts, and sends it again', async () => {
    const alertId = await receive(service);
    const shown = await run('bin/delivery.ts', 'show', `ntf_${alertId}`);
    expect(shown).toMatchObject({ err: '', status: 0 });
    expect(shown.out).toMatch(/state +DELIVERED\n[\s\S]*200 {2}new_alert .*\/_local\/sink\/demo/);
    const sent = () => service.sinks.got('demo').filter(({ body }) => body.includes(String(alertId))).length;
    expect(sent()).toBe(1);
    expect((await run('bin/delivery.ts', 'replay', `ntf_${alertId}`)).out).toContain('Will be sent again');
    await vi.waitUntil(() => sent() === 2, patiently);
    await service.untilIdle();
    const { out } = await run('bin/delivery.ts', 'show', `ntf_${alertId}`, '--json');
    expect(JSON.parse(out)).toMatchObject({ id: `ntf_${alertId}`, attempts: [{ status: 200 }, { status: 200 }] });
  });

  it.each([
    [['show', 'ntf_1'], 'There is no delivery ntf_1;'],
    [['show'], 'show takes one argument: a delivery id.'],
    [['lose', 'ntf_1'], 'There is no command lose;'],
  ])('answers %j with one sentence', async (args, sentence) => {
    const { out, err, status } = await run('bin/delivery.ts', ...args);
    expect([out, status]).toEqual(['', 1]);
    expect(err).toContain(sentence);
  });
});

it('npm run user lists the users, as a table or as JSON', async () => {
  const { out, err } = await run('bin/user.ts', 'list');
  expect(err).toBe('');
  expect(out).toMatch(/^username +name +sees +role +state\n/);
  expect(out).toMatch(/^demo +.*merchant \d+ +\w+ +enabled$/m);
  const all: unknown[] = JSON.parse((await run('bin/user.ts', 'list', '--json')).out);
  expect(all).toHaveLength(out.trim().split('\n').length - 1);
  const { mid } = service.credentials.site;
  const own = JSON.parse((await run('bin/user.ts', 'list', '--mid', String(mid), '--json')).out) as object[];
  expect(own).toContainEqual(expect.objectContaining({ username: 'demo', mid }));
  expect(own).not.toContainEqual(expect.objectContaining({ scope: 'admin' }));
  expect(JSON.parse((await run('bin/user.ts', 'show', 'demo', '--json')).out)).toMatchObject({ username: 'demo' });
});

it('the journal prints each webhook with its URL, its status and why it failed, wherever it went', async () => {
  const lines: string[] = [];
  const journal = createJournal({
    now: service.stack.clock.now,
    // Colours are printed wherever CI is set.
    print: (line) => void lines.push(stripVTControlCharacters(line)),
    logFile: 'functions.log',
    deliveries: (logs) => deliveryTexts(logs, service.stack.tables.client, service.stack.tables.names[0] ?? ''),
  });
  service.stack.runner.ends.on('end', (invocation) => journal.onInvocation(invocation));
  const { site } = service.credentials;
  const token = await service.tokenOf('merchant');
  const settings = `/api/v3/site/mid/${site.mid}/rid/${site.rid}/sid/${site.sid}/alert`;
  // The lowest port, which has no listener.
  for (const alertapiurl of ['http://127.0.0.1:1/alerts', 'https://nowhere.invalid/', service.sinks.url('demo')]) {
    expect(await service.call(settings, { token, body: { alertapiurl } })).toMatchObject({ status: 200 });
    await receive(service);
  }
  await vi.waitUntil(() => lines.length >= 3, patiently);
  const [refused, unknown, taken] = lines;
  expect(refused).toMatch(
    /--- {2}new_alert +\d+ ms {2}http:\/\/127\.0\.0\.1:1\/alerts[^\n]*\n +connection refused: no server is listening there; next try/,
  );
  expect(unknown).toMatch(/https:\/\/nowhere\.invalid\/[^\n]*\n +DNS: the name is not known/);
  expect(taken).toMatch(/→ 200 {2}new_alert .*\/_local\/sink\/demo {2}alert \d+$/);
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
  expect(lines[0]).toContain('no server is listening there; next try 2026-05-02T12:00Z');
  expect(newLines(list, known)).toEqual([]);
  const again = [notification('a', [first, attempt('2026-05-02T12:00:00.000Z', 404, 'http_status')], null)];
  expect(newLines(again, known)).toEqual([expect.stringContaining('not tried again')]);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#lib/local/aws/emulator-process.ts';
import { readEndpoints } from '#lib/local/endpoints.ts';
import { expectNoLeaks, watchFolder } from '#test/support/secret-leak-scan.ts';

const Scripts = v.object({ scripts: v.object({ start: v.string() }) });

let folder: string;
const children: ChildProcess[] = [];
const makeFolder = (): void => {
  folder = mkdtempSync(join(tmpdir(), 'forewarn-start-'));
};
const endAll = async (): Promise<void> => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL');
  watchFolder(folder);
  rmSync(folder, { recursive: true, force: true });
  expectNoLeaks();
};

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

type Started = { child: ChildProcess; output: () => string; errors: () => string; url: Promise<string> };

/** `npm start` as a program of its own. */
const start = (environment: Record<string, string> = {}, ...args: string[]): Started => {
  const { AWS_ENDPOINT_URL_DYNAMODB: _none, ...inherited } = process.env;
  const child = spawn(process.execPath, ['bin/local.ts', ...args], {
    env: { ...inherited, PORT: '0', TIME_LIMITS: 'off', DATA_DIR: join(folder, 'data'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const written = { output: '', errors: '' };
  const ready = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk: Buffer) => {
    written.output += chunk;
    const [, url] = /^ready (http:\S+)$/m.exec(written.output) ?? [];
    if (url) ready.resolve(url);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.errors += chunk;
  });
  child.on('exit', () => ready.reject(new Error(written.errors)));
  // A start that is meant to fail is not asked for its address.
  ready.promise.catch(() => undefined);
  return { child, output: () => written.output, errors: () => written.errors, url: ready.promise };
};

const failed = async (environment: Record<string, string>) => {
  const { child, errors } = start(environment);
  const [status] = await once(child, 'exit');
  return { status, errors: errors() };
};

const Status = v.object({ now: v.string() });
const readStatus = async (url: string) => v.parse(Status, await (await fetch(`${url}/_local/status`)).json());
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await wait(10);
};

/** The answer of a service that does not listen yet; until it takes requests, it answers 503. */
const untilAnswered = async (url: string): Promise<Response> => {
  let answer: Response | undefined;
  await until(async () => {
    answer = await fetch(url).catch(() => undefined);
    return answer !== undefined && answer.status !== 503;
  });
  return answer ?? new Response();
};

/** The DynamoDB emulators that have this test's folder open. */
const emulators = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
        return command.includes(folder) && !command.startsWith('/bin/sh');
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });

describe('npm start', () => {
  /** One data folder, on which one program follows another; the last one stays for the tests after it. */
  let running: Started | undefined;
  const whoeverRuns = (): Started => {
    running ??= start();
    return running;
  };
  beforeAll(makeFolder);
  afterAll(endAll);

  it('says where it is ready, keeps its secrets to itself, and stops without a trace when told to', async () => {
    const port = await freePort();
    const { child, url } = start({ PORT: String(port), START_TIME: '2026-05-02T10:00:00Z' });
    // Asked before it is ready, as a page does that was opened too early.
    const early = await untilAnswered(`http://127.0.0.1:${port}/_local/credentials`);
    expect([early.status, Object.keys(Object(await early.json()))]).toEqual([
      200,
      expect.arrayContaining(['site', 'payment_site', 'three_ds_site', 'providers']),
    ]);
    expect((await fetch(`${await url}/_local/credentials`)).status).toBe(200);
    const data = join(folder, 'data');
    expect(statSync(data).mode & 0o077).toBe(0);
    expect(statSync(join(data, 'state.sqlite')).mode & 0o077).toBe(0);
    expect(readEndpoints(data)?.url).toBe(await url);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(emulators()).toEqual([]);
    expect(existsSync(join(data, 'endpoints.json'))).toBe(false);
  });

  it('goes on after a kill -9 where it was, and no child outlives it', async () => {
    const first = start();
    const url = await first.url;
    const before = (await readStatus(url)).now;
    const credentials = await (await fetch(`${url}/_local/credentials`)).text();
    await fetch(`${url}/_local/clock`, { method: 'POST', body: '{"advance":"PT1H"}' });
    await end(first.child, 'SIGKILL');
    await until(() => emulators().length === 0);
    const again = await whoeverRuns().url;
    expect(await (await fetch(`${again}/_local/credentials`)).text()).toBe(credentials);
    expect(before.slice(0, 13)).toBe('2026-05-02T10');
    expect((await readStatus(again)).now.slice(0, 13)).toBe('2026-05-02T11');
  });

  it('listens on loopback only', async () => {
    const { url } = whoeverRuns();
    const { port } = new URL(await url);
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[1] ?? '')
      .filter((address) => Number.parseInt(address.split(':')[1] ?? '', 16) === Number(port));
    // 127.0.0.1 in the kernel's notation.
    expect(listening.map((address) => address.split(':')[0])).toContain('0100007F');
    expect(listening.filter((address) => address.startsWith('00000000'))).toEqual([]);
  });

  it('refuses, in a sentence and with status 1, a second stack on the same data', async () => {
    await whoeverRuns().url;
    const { status, errors } = await failed({});
    expect(status).toBe(1);
    expect(errors).toMatch(/^Another local stack is using the data folder .*\n$/);
  });

  it('continues when its journal has no reader any more', async () => {
    const { child, url } = whoeverRuns();
    await url;
    child.stdout?.destroy();
    for (let call = 0; call < 3; call += 1) expect((await fetch(`${await url}/no-such-route`)).status).toBe(404);
    expect(child.exitCode).toBeNull();
  });

  it('has room for every function at once, each of which takes more than a megabyte, and for as much again', () => {
    const { scripts } = v.parse(Scripts, JSON.parse(readFileSync('package.json', 'utf8')));
    const [, megabytes] = /--max-old-space-size=(\d+)/.exec(scripts.start) ?? [];
    const functions = readdirSync('functions', { recursive: true }).filter((path) => /handler\.ts$/.test(String(path)));
    expect(Number(megabytes)).toBeGreaterThan(2 * functions.length);
  });
});

describe('npm start, in a folder of its own,', () => {
  beforeEach(makeFolder);
  afterEach(endAll);

  it('explains itself, and refuses arguments that it would not look at', async () => {
    const helping = start({}, '--help');
    expect(await once(helping.child, 'close')).toEqual([0, null]);
    expect(helping.output()).toMatch(/PORT.*DATA_DIR.*START_TIME.*TIME_LIMITS/s);
    const wrong = start({}, '--port', '4000');
    expect(await once(wrong.child, 'close')).toEqual([1, null]);
    expect(wrong.errors()).toBe('npm start takes no such argument (--port 4000); see npm start -- --help.\n');
  });

  it('refuses a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { status, errors } = await failed({ PORT: String(port) });
    server.close();
    expect([status, errors]).toEqual([1, `Port ${port} is in use; set PORT to another one.\n`]);
  });

  it.each([
    ['PORT', 'http', /^PORT is http but must be a number from 0 to 65535\.\n$/],
    ['BIND_ADDRESS', 'everywhere', /^BIND_ADDRESS is everywhere but must be an IP address such as 0\.0\.0\.0\.\n$/],
    ['BIND_ADDRESS', '192.0.2.1', /^This machine has no address 192\.0\.2\.1; set BIND_ADDRESS to another one\.\n$/],
    ['START_TIME', 'noon', /^START_TIME is noon but must be an instant in UTC .*\n$/],
    ['TIME_LIMITS', 'none', /^TIME_LIMITS is none but must be on or off\.\n$/],
    ['DATA_DIR', '/proc/nowhere', /^The data folder \/proc\/nowhere cannot be made .*\n$/],
  ])('refuses %s=%s', async (name, value, sentence) => {
    const { status, errors } = await failed({ [name]: value });
    expect(status).toBe(1);
    expect(errors).toMatch(sentence);
  });

  it.each(['state.sqlite', 'table.sqlite'])('refuses a broken %s', async (file) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', file), Buffer.alloc(20_000, 'broken'));
    const { status, errors } = await failed({});
    expect(status).toBe(1);
    expect(errors.trim().split('\n')).toHaveLength(1);
    expect(errors).toContain(join(folder, 'data'));
    rmSync(join(folder, 'data', file));
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programEnvironment } from '#test/support/command.ts';
import { expectNoLeaks, watchFolder } from '#test/support/secret-leak-scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-inspect-'));
let child: ChildProcess;
let written = '';
let url = '';
let debuggerUrl = '';

beforeAll(async () => {
  child = spawn(process.execPath, ['bin/dev.ts', '--inspect=0'], {
    env: { ...programEnvironment(), PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  [url, debuggerUrl] = await Promise.all([told(/^ready (http:\S+)$/m), told(/^Debugger listening on (ws:\S+)$/m)]);
});
afterAll(async () => {
  child.kill('SIGINT');
  await once(child, 'exit');
  watchFolder(folder);
  rmSync(folder, { recursive: true, force: true });
  expectNoLeaks();
});

/** Waits until the program's output contains words. */
const told = (words: RegExp): Promise<string> =>
  new Promise((found, failed) => {
    const look = () => {
      const [, value] = words.exec(written) ?? [];
      if (value !== undefined) found(value);
    };
    const take = (chunk: Buffer) => {
      written += chunk;
      look();
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.on('exit', () => failed(new Error(written)));
  });

const Message = v.object({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
  error: v.optional(v.object({ message: v.string() })),
});
type Message = v.InferOutput<typeof Message>;
const Script = v.object({ scriptId: v.string(), url: v.string(), sourceMapURL: v.string() });
const Location = v.object({ scriptId: v.string(), lineNumber: v.number(), columnNumber: v.number() });
const Paused = v.object({ callFrames: v.array(v.object({ functionName: v.string(), location: Location })) });

/** A debugger's connection to the program. `next` settles with the first event that fits, of those that came already, too. */
const attach = async () => {
  const socket = new WebSocket(debuggerUrl);
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  const events: Message[] = [];
  const waiting = new Set<() => void>();
  socket.addEventListener('message', ({ data }) => {
    events.push(v.parse(Message, JSON.parse(String(data))));
    for (const look of [...waiting]) look();
  });
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((found) => {
      const look = () => {
        const event = events.find(fits);
        if (!event) return;
        waiting.delete(look);
        found(event);
      };
      waiting.add(look);
      look();
    });
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<void> => {
    last += 1;
    const id = last;
    socket.send(JSON.stringify({ id, method, params }));
    expect((await next((message) => message.id === id)).error, method).toBeUndefined();
  };
  return { ask, next, close: () => socket.close() };
};

const file = resolve('functions/disputes/alerts/api/update-alert/handler.ts');
const lines = readFileSync(file, 'utf8').split('\n');
const wanted = lines.findIndex((line) => line.includes("throw new Refusal('rcode_wrong'"));

const callIt = () =>
  fetch(`${url}/secure/alert/update/v2/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

it('a debugger stops in the TypeScript of a function, at the line that was marked', async () => {
  const { ask, next, close } = await attach();
  await ask('Debugger.enable');
  // Loaded by its first call; so breakpoints hold from the second.
  expect((await callIt()).status).toBe(401);
  const isFunction = ({ method, params }: Message) =>
    method === 'Debugger.scriptParsed' && /\/alerts\/update-alert\/.*\/index\.js$/.test(String(params['url']));
  const script = v.parse(Script, (await next(isFunction)).params);
  const map = new URL(script.sourceMapURL, pathToFileURL(fileURLToPath(script.url)));
  const sources = new SourceMap(JSON.parse(readFileSync(map, 'utf8')));
  const originOf = (line: number, column: number) => {
    const entry = sources.findEntry(line, column);
    return 'originalSource' in entry
      ? { file: fileURLToPath(entry.originalSource), line: entry.originalLine }
      : undefined;
  };
  const code = readFileSync(fileURLToPath(script.url), 'utf8').split('\n');
  const place = code.findIndex((text, line) => {
    const origin = originOf(line, text.search(/\S|$/));
    return origin?.file === file && origin.line === wanted;
  });
  expect(place, 'the line of the code that the marked line became').toBeGreaterThan(0);

  await ask('Debugger.setBreakpoint', { location: { scriptId: script.scriptId, lineNumber: place } });
  const answer = callIt();
  const paused = v.parse(Paused, (await next(({ method }) => method === 'Debugger.paused')).params);
  const [frame] = paused.callFrames;
  expect(frame?.functionName).toBe('needRcode');
  expect(originOf(frame?.location.lineNumber ?? 0, frame?.location.columnNumber ?? 0)).toEqual({ file, line: wanted });
  await ask('Debugger.resume');
  expect((await answer).status).toBe(401);
  close();
});

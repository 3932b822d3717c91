import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateAlert } from '#disputes/alerts/api/update-alert/operation.ts';
import { bundleName } from '#lib/build/bundle.ts';
import { entry, handlerOf, versionOf } from '#lib/build/code-cache/deployed.ts';
import { cacheFolder, cacheFolderOf, cacheOf } from '#lib/build/code-cache/loader.ts';
import { addCodeCaches, findMaker, lambdaFlags } from '#lib/build/code-cache.ts';
import { type ColdCase, coldPayment, coldUpdate } from '#test/bench/cold-cases.ts';
import { coldCall, workOf } from '#test/bench/cold-start.ts';
import { builtCode } from '#test/support/built-code.ts';
import { callInFreshProcess } from '#test/support/fresh-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-code-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Code as it is deployed, with a cache of this Node's. */
const cachedCode = async ({ operation }: ColdCase, name: string): Promise<string> => {
  const dir = join(folder, name);
  cpSync(await builtCode().folderOf(bundleName(operation)), dir, { recursive: true });
  await addCodeCaches({ functions: [operation], dirOf: () => dir, node: process.execPath });
  return dir;
};

const unused = (said: readonly string[]): unknown[] =>
  said.map((line): { event?: string } => JSON.parse(line)).filter(({ event }) => event === 'code_cache_unused');

/** In one file; and in several, of which some are loaded when they are first wanted. */
describe.each([coldUpdate, coldPayment])('$title', (one) => {
  let dir = '';
  /** What it does without a cache. */
  let plain: unknown;
  beforeAll(async () => {
    dir = await cachedCode(one, one.title);
    plain = workOf((await coldCall(join(dir, 'index.js'), one)).sent);
  });

  it('does the same with what V8 has made of it, whatever memory it is given', async () => {
    const flags = [...lambdaFlags, '--max-semi-space-size=12', '--max-old-space-size=230'];
    const { sent, said } = await coldCall(join(dir, entry), one, flags);
    expect(unused(said)).toEqual([]);
    expect(workOf(sent)).toEqual(plain);
  });

  it('does the same where V8 refuses that, and says so once', async () => {
    const { sent, said } = await coldCall(join(dir, entry), one, [...lambdaFlags, '--no-opt']);
    expect(unused(said)).toEqual([
      expect.objectContaining({ level: 'warn', reason: 'refused', node: process.version }),
    ]);
    expect(workOf(sent)).toEqual(plain);
  });

  it('does the same where another V8 runs, and says so once', async () => {
    const other = join(folder, `${one.title} elsewhere`);
    cpSync(dir, other, { recursive: true });
    renameSync(cacheFolderOf(other), join(other, cacheFolder, '1.2.3-arm64'));
    const { sent, said } = await coldCall(join(other, entry), one);
    const v8 = `${process.versions.v8}-${process.arch}`;
    expect(unused(said)).toEqual([expect.objectContaining({ reason: 'another V8', v8, made: ['1.2.3-arm64'] })]);
    expect(workOf(sent)).toEqual(plain);
  });
});

type Files = Readonly<Record<string, string>>;

/** Invented code under the name of a function that exists, as its sample event is read. */
const inventedCode = async (name: string, files: Files, node = process.execPath): Promise<string> => {
  const dir = join(folder, name);
  mkdirSync(dir);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
  await addCodeCaches({ functions: [updateAlert], dirOf: () => dir, node });
  return dir;
};

/** A Node that is what it runs, but for the one script of the build. */
const nodeThat = (name: string, script: 'make.ts' | 'check.ts', does: string): string => {
  const path = join(folder, name);
  const text = `#!/bin/sh\ncase "$*" in *${script}*) ${does};; esac\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(path, text, { mode: 0o755 });
  return path;
};

const answerOf = async (code: string): Promise<unknown> => {
  const { said } = await callInFreshProcess([{ code, event: coldUpdate.event() }], {});
  return said;
};

it('loads as Node does: modules once, those that fail again, with the lines and columns of the file in errors', async () => {
  const dir = await inventedCode('loading', {
    'index.js': `const { state } = require('./part.js'); exports.handler = async () => {
      const again = () => { try { require('./broken.js'); } catch (error) { return error.stack.split('\\n')[1].trim(); } };
      const seen = [state === require('./part.js').state, require('node:path').basename(__filename), this === exports];
      console.log(JSON.stringify([seen, again(), again(), new Error('here').stack.split('\\n')[1].trim()]));
      return { statusCode: 200 };
    };`,
    'part.js': 'exports.state = {};',
    'broken.js': "exports.half = true; throw new Error('broken');",
  });
  const plain = await answerOf(join(dir, 'index.js'));
  expect(plain).toEqual([expect.stringContaining('broken.js:1:28')]);
  expect(await answerOf(join(dir, entry))).toEqual(plain);
});

it('is another version when code or V8 is another, and not because a cache was made again', async () => {
  const files = { 'index.js': 'exports.handler = async () => ({ statusCode: 200 });' };
  const [first, second] = [await inventedCode('first', files), await inventedCode('second', files)];
  const third = await inventedCode('third', { 'index.js': `${files['index.js']}//` });
  expect(versionOf(first)).toMatch(/^[\da-f]{64}$/);
  expect(versionOf(second)).toBe(versionOf(first));
  expect(versionOf(third)).not.toBe(versionOf(first));
  renameSync(cacheFolderOf(second), join(second, cacheFolder, '1.2.3-arm64'));
  expect(versionOf(second)).not.toBe(versionOf(first));
  expect([handlerOf(first), readdirSync(first).sort()]).toEqual([
    'start.handler',
    [cacheFolder, 'index.js', entry].sort(),
  ]);
});

const answering = { 'index.js': 'exports.handler = async () => ({ statusCode: 200 });' };

it('is another version when another Node made the cache, or the same with other flags', async () => {
  const plain = await inventedCode('by this Node', answering);
  const inAnotherWay = nodeThat('other-flags', 'make.ts', `exec '${process.execPath}' --no-warnings "$@"`);
  const flagged = await inventedCode('with other flags', answering, inAnotherWay);
  expect(readdirSync(join(flagged, cacheFolder))).toEqual(readdirSync(join(plain, cacheFolder)));
  expect(versionOf(flagged)).not.toBe(versionOf(plain));
  const maker = join(cacheFolderOf(plain), 'made-by.json');
  const known = versionOf(plain);
  const text = readFileSync(maker, 'utf8');
  expect(text).toContain(`"version":"${process.version}","arch":"${process.arch}"`);
  writeFileSync(maker, text.replace(process.version, 'v24.0.0'));
  expect(versionOf(plain)).not.toBe(known);
});

it('is not used when it is damaged, and that is said once', async () => {
  const dir = await inventedCode('damaged', answering);
  const cache = join(cacheFolderOf(dir), cacheOf('index.js'));
  const bytes = readFileSync(cache);
  // Far behind what V8 compares.
  writeFileSync(cache, bytes.fill(0xff, 200));
  const { statuses, said } = await callInFreshProcess([{ code: join(dir, entry), event: coldUpdate.event() }], {});
  expect(statuses).toEqual([200]);
  expect(unused(said)).toEqual([expect.objectContaining({ level: 'warn', reason: 'damaged' })]);
});

it.each([
  {
    title: 'dies of its cache',
    script: 'check.ts',
    does: 'kill -SEGV $$',
    says: /was ended by SIGSEGV in check\.ts of/,
  },
  { title: 'dies of making it', script: 'make.ts', does: 'exit 3', says: /ended with 3 in make\.ts of/ },
  {
    title: 'does not take what it made',
    script: 'make.ts',
    does: `exec '${process.execPath}' --no-opt "$@"`,
    says: /does not take the cache it made of/,
  },
] as const)('is not made by a Node that $title', async ({ title, script, does, says }) => {
  const node = nodeThat(`${title}.sh`, script, does);
  await expect(inventedCode(title, answering, node)).rejects.toThrow(says);
  expect(readdirSync(join(folder, title))).toEqual(['index.js']);
});

it('has no version and another handler without a cache', async () => {
  const dir = await builtCode().folderOf(bundleName(updateAlert));
  expect([versionOf(dir), handlerOf(dir)]).toEqual([undefined, 'index.handler']);
});

it('is made by a Node for the processor that functions run on, or not at all', async () => {
  const [here, elsewhere] = process.arch === 'arm64' ? (['arm64', 'x64'] as const) : (['x64', 'arm64'] as const);
  expect(await findMaker(here, process.execPath)).toEqual({ node: process.execPath, version: process.version });
  const reasonOf = async (...asked: Parameters<typeof findMaker>) => Object.entries(await findMaker(...asked)).join();
  expect(await reasonOf(elsewhere, process.execPath)).toMatch(/^reason,.* is no Node for Linux on /);
  expect(await reasonOf(here, '/nonexistent/node')).toBe('reason,/nonexistent/node is not there');
  expect(await reasonOf(here, 'none')).toBe('reason,CODE_CACHE_NODE is none');
  expect(await reasonOf(elsewhere, undefined)).toMatch(/^reason,no Node for Linux on \w+ runs on this machine$/);
});

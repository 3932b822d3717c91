import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFunctionRunner, type FunctionDefinition } from '#lib/local/functions/function-runner.ts';
import { createMemoryWatch } from '#lib/local/functions/memory-watch.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'forewarn-runner-')));
const folder = join(root, 'asset');

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'index.js'), "exports.handler = async () => require('./part.js').call();");
  writeFileSync(join(folder, 'part.js'), 'let calls = 0; exports.call = () => (calls += 1);');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const definition: FunctionDefinition = {
  name: 'one',
  arn: 'arn:aws:lambda:eu-west-1:000000000000:function:one',
  folder,
  handler: 'index.handler',
  timeoutSeconds: 5,
  memoryMegabytes: 128,
  environment: {},
};

const callTwice = async (): Promise<unknown[]> => {
  const runner = createFunctionRunner([definition]);
  try {
    return [(await runner.invoke(definition, {})).result, (await runner.invoke(definition, {})).result];
  } finally {
    runner.close();
  }
};

it('loads a function again for each stack of a process, with the parts of it that have files of their own', async () => {
  expect(await callTwice()).toEqual([1, 2]);
  expect(await callTwice()).toEqual([1, 2]);
});

it('loads forgotten functions again, and keeps none of their modules', async () => {
  const runner = createFunctionRunner([definition]);
  const { cache } = createRequire(import.meta.url);
  try {
    expect((await runner.invoke(definition, {})).result).toBe(1);
    runner.forget();
    expect(Object.keys(cache).filter((path) => path.startsWith(folder))).toEqual([]);
    expect((await runner.invoke(definition, {})).result).toBe(1);
  } finally {
    runner.close();
  }
});

describe('a watch of memory', () => {
  it.each([
    ['says nothing below 85 %', [84, 84, 84], 0, []],
    ['has functions loaded again once', [86, 70, 70], 1, ['Memory is short (86 of 100 MB)']],
    [
      'names the setting once if that does not help',
      [86, 90, 95],
      1,
      ['is short (86', 'is still short (90 of 100 MB)'],
    ],
    ['begins again when memory was free', [86, 50, 90], 2, ['is short (86', 'is short (90']],
  ])('%s', (_, used, forgotten, sentences) => {
    const said: string[] = [];
    let count = 0;
    const left = [...used];
    const readHeap = () => ({ used_heap_size: (left.shift() ?? 0) * 1_048_576, heap_size_limit: 100 * 1_048_576 });
    const forget = () => {
      count += 1;
    };
    const check = createMemoryWatch(readHeap, { forget, onProblem: (one) => said.push(one) });
    for (const _one of used) check();
    expect(count).toBe(forgotten);
    expect(said).toEqual(sentences.map((part) => expect.stringContaining(part)));
  });
});

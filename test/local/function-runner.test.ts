import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFunctionRunner, type FunctionDefinition } from '#lib/local/functions/function-runner.ts';

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

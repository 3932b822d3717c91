import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDigests } from '#lib/local/build/digests.ts';
import { createFunctionCode } from '#lib/local/build/function-code.ts';
import { createEdits, createReloader, watchFolders } from '#lib/local/dev.ts';
import { createFunctionRunner } from '#lib/local/functions/function-runner.ts';
import { patiently } from '#test/support/wait-options.ts';

let root: string;
let toClose: (() => void)[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'forewarn-dev-')));
});
afterEach(() => {
  for (const close of toClose) close();
  toClose = [];
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const handlerPath = (name: string) => `functions/shop/things/api/${name}/handler.ts`;
const answering = (answer: string) =>
  `import { shared } from '../../shared.ts';\nexport const handler = async (): Promise<string> => \`${answer} \${shared}\`;\n`;

const defineThing = (name: string, timeoutSeconds = 10) => ({
  ...{ name: `things/${name}`, arn: `arn:${name}`, folder: '', handler: 'index.handler', timeoutSeconds },
  ...{ memoryMegabytes: 128, environment: {} },
});

/** Functions that lie in a project of their own and run, and what is said while their sources are edited. */
const start = (...names: string[]) => {
  write('functions/shop/things/shared.ts', "export const shared = 'for all';\n");
  for (const name of names) write(handlerPath(name), answering(`one by ${name}`));
  const declared = names.map((name) => ({ area: 'things', name, deployedName: name, grants: {} }));
  const code = createFunctionCode(declared, createDigests(root), 'readable');
  const runner = createFunctionRunner(
    names.map((name) => defineThing(name)),
    ({ name }) => code.folderOf(name),
  );
  const said = { lines: [] as string[], problems: [] as string[] };
  const reload = createReloader({
    ...{ code, runner, nameOf: ({ name }) => name },
    ...{ print: (line) => said.lines.push(line), onProblem: (sentence) => said.problems.push(sentence) },
  });
  const unwatch = watchFolders(root, ['functions'], reload);
  toClose.push(unwatch, runner.close);
  const call = async (name: string) => (await runner.invoke(runner.find(`things/${name}`), {})).result;
  return { call, code, said };
};

describe('npm run dev', () => {
  it('reloads an edited function, builds no other, and says so', async () => {
    const { call, said } = start('edited', 'other');
    expect([await call('edited'), await call('other')]).toEqual(['one by edited for all', 'one by other for all']);
    write(handlerPath('edited'), answering('two'));
    await vi.waitFor(() => expect(said.lines).not.toEqual([]), patiently);
    expect(said.lines[0]).toMatch(/^reloaded things\/edited in \d+\.\d s$/);
    expect([await call('edited'), await call('other')]).toEqual(['two for all', 'one by other for all']);
  });

  it('reloads what functions share, some at once and the rest when they are next called', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `f${index}`);
    const { call, said } = start(...names);
    for (const name of names) await call(name);
    write('functions/shop/things/shared.ts', "export const shared = 'for everybody';\n");
    await vi.waitFor(() => expect(said.lines).not.toEqual([]), patiently);
    expect(said.lines[0]).toMatch(
      /^reloaded (?:things\/f\d, ){7}things\/f\d in \d+\.\d s, 2 more when they are next called$/,
    );
    for (const name of names) expect(await call(name)).toBe(`one by ${name} for everybody`);
  });

  it('says by file and line what does not build, and goes on when it does', async () => {
    const { call, said } = start('broken');
    await call('broken');
    write(handlerPath('broken'), 'export const handler = ;\n');
    await vi.waitFor(() => expect(said.problems).not.toEqual([]), patiently);
    expect(said.problems[0]).toContain('functions/shop/things/api/broken/handler.ts:1:24: ');
    write(handlerPath('broken'), answering('mended'));
    await vi.waitFor(() => expect(said.lines).not.toEqual([]), patiently);
    expect(await call('broken')).toBe('mended for all');
  });

  it('leaves functions their names, and tells debuggers where their sources are', async () => {
    const { code } = start('readable');
    const folder = await code.folderOf('things/readable');
    const text = readFileSync(join(folder, 'index.js'), 'utf8');
    expect(text).toContain('handler = async () =>');
    const [, map = ''] = /\/\/# sourceMappingURL=(\S+)/.exec(text) ?? [];
    const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8')) as { sources: string[] };
    expect(sources.map((source) => fileURLToPath(source))).toContain(join(root, handlerPath('readable')));
  });
});

it('takes an edit into the stack that replaced the one it came to', async () => {
  const reloads: string[] = [];
  const failures: unknown[] = [];
  const sessionOf = (name: string, outcome: () => Promise<void>) => ({
    reload: () => {
      reloads.push(name);
      return outcome();
    },
  });
  const [begun, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [current, restarts] = [sessionOf('before', async () => undefined), 0];
  const onEdit = createEdits({
    current: () => current,
    takeTemplate: async () => {
      restarts += 1;
      if (restarts > 1) return;
      // While it stops, requests to it fail.
      current.reload = sessionOf('before', () => Promise.reject(new Error('stopped'))).reload;
      begun.resolve();
      await stopped.promise;
      current = sessionOf('after', async () => undefined);
    },
    onFailure: (error) => failures.push(error),
  });
  onEdit();
  await begun.promise;
  onEdit();
  stopped.resolve();
  await vi.waitFor(() => expect(restarts).toBe(2), patiently);
  expect(reloads).toEqual(['before', 'before', 'after']);
  expect(failures).toEqual([]);
});

it('lets a function that is looked at with a debugger take its time', async () => {
  write('slow/index.js', 'exports.handler = () => new Promise((resolve) => setTimeout(resolve, 40, "late"));\n');
  const folder = () => join(root, 'slow');
  const [held, free] = [true, false].map((timeLimits) =>
    createFunctionRunner([defineThing('slow', 0.001)], folder, timeLimits),
  );
  toClose.push(
    () => free?.close(),
    () => held?.close(),
  );
  const run = async (runner: typeof held) => runner?.invoke(defineThing('slow', 0.001), {});
  expect((await run(held))?.error?.message).toContain('timed out');
  expect((await run(free))?.result).toBe('late');
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { programEnvironment } from '#test/support/command.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-help-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and says what it printed and which files it loaded for that. */
const runWith = async (name: string, ...args: string[]) => {
  const LOADED_MODULES = join(folder, `${name}.json`);
  const env = { ...programEnvironment(), DATA_DIR: folder, LOADED_MODULES };
  const preload = './test/support/loaded-modules.mjs';
  const { stdout } = await run(process.execPath, ['--import', preload, `bin/${name}.ts`, ...args], { env });
  const loaded: string[] = JSON.parse(readFileSync(LOADED_MODULES, 'utf8'));
  return { stdout, loaded };
};

/** The modules that take time to load, and do not decide how a command is called. */
const heavy =
  /aws-cdk-lib|@aws-sdk|@smithy|esbuild|\/lib\/local\/(?:stack|build|aws|demo|invoke)|\/functions\/operations/;

const withJson = [
  ...[
    'bins',
    'counters',
    'delivery',
    'demo',
    'import',
    'invoke',
    'listen',
    'provider-try',
    'restore',
    'secret',
    'trace',
  ],
  ...['trigger', 'user'],
];
/** Their help takes longer, as it reads the sources of what they build or check. */
const slowWithJson = ['docs', 'init', 'prove', 'release'];

describe.each([...withJson, ...slowWithJson])('the help of %s', (name) => {
  it('names the flag for programs', async () => {
    expect((await runWith(name, '--help')).stdout).toMatch(/^ +--json +Prints? /m);
  });
});

// The service itself has none: it prints what happens.
describe.each([...withJson, 'local'])('the help of %s', (name) => {
  it('is there before anything is loaded that it does not need', async () => {
    const { stdout, loaded } = await runWith(name, '--help');
    expect(stdout).toMatch(/^npm (?:run [\w:]+ -- |start )/);
    expect(
      loaded.some((url) => url.endsWith(`/bin/${name}.ts`)),
      'the hook has seen what was loaded',
    ).toBe(true);
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  });
});

it('of a command that lists what it can do is not empty for programs', async () => {
  const { stdout } = await runWith('invoke', '--json');
  expect(JSON.parse(stdout)).toContainEqual({
    name: 'alerts/update-alert',
    summary: expect.any(String),
    sample: 'events/alerts/update-alert.json',
  });
});

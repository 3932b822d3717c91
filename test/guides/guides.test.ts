import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorCodesTable, reasonCodesTable, withTable } from '#lib/openapi/guide-tables.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { blocksOf, expectedOutput } from './blocks.ts';

/** Every command of the guides is run as it stands there, and prints what is said there; `…` stands for anything. */

const folder = 'docs/guides';
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));
const run = promisify(execFile);

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());
beforeEach(() => service.sinks.clear('demo'));

/** Ends the output of one block; no reader sees it. */
const end = '=== end of block ===';

describe.each(guides)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const blocks = blocksOf(text);

  it('has commands, or JSON that can be read, and nothing that is not tried', () => {
    const kinds = new Set(blocks.map(({ language }) => language));
    expect([...kinds].filter((kind) => !['sh', 'output', 'json'].includes(kind))).toEqual([]);
    for (const { text: json } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(json)).not.toThrow();
  });

  it('does what it says', async () => {
    const scripts = blocks.filter(({ language }) => language === 'sh').map(({ text: script }) => script);
    if (scripts.length === 0) return;
    const script = scripts.map((one) => `${one}\nprintf '%s\\n' '${end}'\n`).join('');
    const env = { ...process.env, FOREWARN_URL: service.url };
    // A shell whose input is a socket may take itself for a remote one, and read the machine's own start-up file first.
    const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env });
    expect(stderr).toBe('');
    const outputs = stdout.split(`${end}\n`);
    const wanted = blocks.flatMap(({ language, text: output }, index) => {
      if (language !== 'output') return [];
      const before = blocks.slice(0, index).filter((block) => block.language === 'sh').length;
      return [{ output, said: outputs[before - 1] ?? '' }];
    });
    for (const { output, said } of wanted) expect(said.trim()).toMatch(expectedOutput(output));
  });

  it('links to what there is', () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (!target.startsWith('https://'))
        expect(existsSync(join(dirname(join(folder, name)), target)), target).toBe(true);
    }
  });
});

it.each([
  ['reason-codes.md', 'reason codes', reasonCodesTable],
  ['error-codes.md', 'error codes', errorCodesTable],
] as const)('%s has the table of %s that follows from the code', (name, table, write) => {
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toBe(withTable(text, table, write()));
});

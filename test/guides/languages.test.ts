import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sitePages } from '#accounts/documents/site/catalog.ts';
import { expectedOutput, findBlocks, readTab } from '#lib/operator/guides/page-blocks.ts';
import { useStack } from '#test/support/stack.ts';
import { fillIn } from './fill-in.ts';

/** Runs the samples that pages show in several languages, each language's from top to bottom, and compares what they print. */

const run = promisify(execFile);

const languages = {
  curl: { program: 'bash', name: 'sample.sh', begin: 'set -euo pipefail\n' },
  Node: { program: process.execPath, name: 'sample.mjs', begin: '' },
  Python: { program: 'python3', name: 'sample.py', begin: '' },
  PHP: { program: 'php', name: 'sample.php', begin: '<?php\n' },
} as const;
type Language = keyof typeof languages;
const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

const pages = sitePages
  .map(({ file }) => ({ file, blocks: findBlocks(readFileSync(file, 'utf8')) }))
  .filter(({ blocks }) => blocks.some((block) => readTab(block)));
const cases = pages.flatMap(({ file, blocks }) => {
  const tabs = [...new Set(blocks.flatMap((block) => readTab(block) ?? []))];
  return tabs.map((tab) => ({ file, blocks, tab }));
});

const service = await useStack();
beforeAll(async () => {
  // A newcomer may have played the demo, which moves the clock.
  await service.clock.advance('PT12H');
});

describe('samples in several languages', () => {
  it('are found', () => expect(cases.length).toBeGreaterThanOrEqual(4));

  for (const { file: page, tab, blocks } of cases) {
    if (!isLanguage(tab)) throw new Error(`No program is known for ${tab}`);
    const { program, name, begin } = languages[tab];
    it.skipIf(spawnSync(program, ['--version']).status !== 0)(`of ${page} run in ${tab}`, async () => {
      const own = blocks.filter((block) => readTab(block) === tab).map(({ text }) => text);
      const file = join(mkdtempSync(join(tmpdir(), 'sample-')), name);
      writeFileSync(file, fillIn(begin + own.join('\n'), service));
      const { stdout, stderr } = await run(program, [file], { env: process.env });
      expect(stderr).toBe('');
      const printed = blocks.filter(({ language }) => language === 'output').map(({ text }) => text.trim());
      expect(stdout.trim()).toMatch(expectedOutput(printed.join('\n')));
    });
  }
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import {
  errorCodesTable,
  permissionsTable,
  reasonCodesTable,
  toolsTable,
  withTable,
} from '#lib/openapi/guide-tables.ts';
import { findBlocks, readTab } from '#lib/operator/guides/page-blocks.ts';
import { playPage } from '#lib/operator/guides/play-page.ts';
import { useStack } from '#test/support/stack.ts';

/** Runs the commands of all pages as they are, and compares what they print; `…` stands for anything. */

const pagesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesIn('docs'), ...pagesIn('docs/guides')];

const service = await useStack();
beforeEach(() => service.sinks.clear('demo'));

/** Languages of blocks that are not commands. */
const shown = ['output', 'json', 'html', 'js', 'mermaid'];
const isCommand = (line: string): boolean => /^\s*(?:npm|npx|aws|curl|git|docker|\.) /.test(line);

describe.each(pages)('%s', (name) => {
  const text = readFileSync(name, 'utf8');
  const blocks = findBlocks(text).filter((block) => !readTab(block));

  it('marks its commands as such, and states why one is not run', () => {
    const unmarked = blocks.filter(({ language, text: block }) => language === '' && block.split('\n').some(isCommand));
    expect(unmarked.map(({ text: block }) => block)).toEqual([]);
    const kinds = new Set(blocks.flatMap(({ language }) => (language === '' ? [] : [language])));
    expect([...kinds].filter((kind) => ![...shown, 'sh'].includes(kind))).toEqual([]);
    for (const { text: json } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(json)).not.toThrow();
  });

  it('does what it says', async () => {
    const played = await playPage(text, 'local', { ...process.env, FOREWARN_URL: service.url });
    expect(played?.stderr ?? '').toBe('');
    for (const { expected, printed } of played?.outputs ?? []) expect(printed).toMatch(expected);
  });

  it('links to what there is', () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (!/^https?:/.test(target)) expect(existsSync(join(dirname(name), target)), target).toBe(true);
    }
  });
});

it.each([
  ['reason-codes.md', 'reason codes', reasonCodesTable],
  ['error-codes.md', 'error codes', errorCodesTable],
  ['api-keys.md', 'permissions', () => permissionsTable(operations)],
  ['agents.md', 'tools', () => toolsTable(operations)],
] as const)('%s has the table of %s that follows from the code', (name, table, write) => {
  const text = readFileSync(join('docs/guides', name), 'utf8');
  expect(text).toBe(withTable(text, table, write()));
});

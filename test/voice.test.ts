import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hitsOfFile } from '#lib/build/voice.ts';

const limits: Readonly<Record<string, number>> = JSON.parse(readFileSync('test/voice-limits.json', 'utf8'));

describe('the wording of comments, test titles and pages', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { encoding: 'utf8' }).trim().split('\n');

  it('gets no worse in any file; npm run voice -- <file> shows the passages', () => {
    const worse = files.flatMap((file) => {
      const hits = hitsOfFile(file, readFileSync(file, 'utf8'));
      const limit = limits[file] ?? 0;
      return hits.length > limit
        ? hits.map(({ line, text }) => `${file}:${line} ${text.slice(0, 100)} (limit ${limit})`)
        : [];
    });
    expect(worse).toEqual([]);
  });

  it.each([
    ['a.ts', '/** The merchant is told of it. */', 1],
    ['a.ts', 'const told = 1;', 0],
    ['a.ts', "it('tells nobody', () => {});", 1],
    ['a.md', 'Nothing stands in the table.', 1],
    ['a.md', '```\nnobody\n```', 0],
    ['a.md', 'The operator sets the limit.', 0],
  ])('in %s counts %s as %i', (file, text, count) => expect(hitsOfFile(file, text)).toHaveLength(count));
});

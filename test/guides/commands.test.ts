import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('lists every command of package.json in docs/cli.md', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const page = readFileSync('docs/cli.md', 'utf8');
  const names = Object.keys(scripts).filter((name) => !new RegExp(`npm (run )?(--silent )?${name}[\`\\s]`).test(page));
  expect(names).toEqual([]);
});

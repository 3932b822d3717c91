import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'docs/decisions';

it('lists every decision record once in the index, under its title', () => {
  const records = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const index = readFileSync(`${folder}/README.md`, 'utf8');
  const listed = [...index.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)].map(([, title = '', file = '']) => [file, title]);
  const expected = records.map((file) => {
    const [heading = ''] = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
    return [file, heading.replace(/^# /, '').replace(' (withdrawn)', '')];
  });
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

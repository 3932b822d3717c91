import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findFolder } from '#functions/declaration-files.ts';
import { operations } from '#functions/operations.ts';
import { removeDescriptions } from '#lib/build/without-descriptions.ts';

it('removes a description of any spelling and keeps the lines', () => {
  const source = `const A = v.pipe(v.string(), v.description('It\\'s (one)'));
const B = v.pipe(
  v.string(),
  v.description(
    'Two ' +
      \`\${words} "and"\`,
  ),
  v.minLength(1),
);`;
  expect(removeDescriptions(source)).toBe(`const A = v.pipe(v.string());
const B = v.pipe(
  v.string()



,
  v.minLength(1),
);`);
});

it('finds every description in functions', () => {
  const files = readdirSync('functions', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const left = files.filter((file) =>
    removeDescriptions(readFileSync(join('functions', file), 'utf8')).includes('v.description('),
  );
  expect(left).toEqual([]);
});

it('leaves no tool of an operation in a deployed function', () => {
  const offered = operations.filter(({ tool }) => tool);
  const kept = offered.filter((one) => {
    const source = readFileSync(join(findFolder(one), 'operation.ts'), 'utf8');
    return !source.includes('\n  tool: {') || removeDescriptions(source).includes('tool:');
  });
  expect(offered.length).toBeGreaterThan(0);
  expect(kept.map(({ name }) => name)).toEqual([]);
});

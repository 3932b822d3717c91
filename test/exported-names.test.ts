import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

const files = globSync('functions/**/*.ts');
const exported = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|type|class|function|enum|interface) (\w+)/gm;

/** Names that several files may export, each with its reason. */
const sharedNames: Readonly<Record<string, string>> = {
  handler: 'Lambda calls every function by this name',
};

/** File names that each say what their file is to its folder; all other names are unique. */
const sharedFiles = new Set([
  ...['operation.ts', 'worker.ts', 'handler.ts'],
  ...['declarations.ts', 'schemas.ts', 'field-schemas.ts', 'registered.ts'],
]);

/** The entries that occur under more than one file, with those files. */
const repeated = (entries: readonly (readonly [name: string, file: string])[]): [string, string[]][] =>
  [...Map.groupBy(entries, ([name]) => name)]
    .map(([name, found]): [string, string[]] => [name, [...new Set(found.map(([, file]) => file))]])
    .filter(([, found]) => found.length > 1);

it('exports every name of functions/ from one file', () => {
  const entries = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(exported)].map(([, name = '']) => [name, file] as const),
  );
  const found = repeated(entries).filter(([name]) => !(name in sharedNames));
  expect(found, 'say which: `NetworkOutcome`, `ProcessorResult`, not `Outcome` twice').toEqual([]);
});

it('gives every file of functions/ that is no part of a convention a name of its own', () => {
  const entries = files.map((file) => [basename(file), file] as const);
  const found = repeated(entries).filter(([name]) => !sharedFiles.has(name));
  expect(found, 'say of what: `order-list-store.ts`, not `list-store.ts` twice').toEqual([]);
});

it('names limits max and min', () => {
  const limits = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:most|fewest|least)[A-Z]\w*/g)].map(([name]) => `${file}: ${name}`),
  );
  expect(limits).toEqual([]);
});

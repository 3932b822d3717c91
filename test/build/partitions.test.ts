import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPartitions, registeredPartitionsText } from '#lib/build/partitions.ts';

/** A project with one function, whose handler and store have the given code. */
const partitionsIn = async (handler: string, store: string) => {
  const root = mkdtempSync(join(tmpdir(), 'forewarn-partitions-'));
  const folder = join(root, 'functions/shelf/made-up/api/read');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module","sideEffects":false}');
  writeFileSync(join(folder, 'keys.ts'), 'export const keys = { user: (u) => u, alert: (a) => a, session: (s) => s };');
  writeFileSync(join(folder, 'store.ts'), `import { keys } from './keys.ts';\n${store}`);
  writeFileSync(join(folder, 'handler.ts'), handler);
  return (await findPartitions([{ area: 'made-up', name: 'read' }], root)).get('made-up/read');
};

describe('the partitions that the code of a function names', () => {
  it('are those of the keys that it spells, also in a spread, a callback and code that is loaded later', async () => {
    const store = `
      export const one = () => ({ ...keys.alert(1) });
      export const many = (names) => names.map(keys.user);`;
    const later = "export const handler = async () => (await import('./store.ts')).one();";
    expect(await partitionsIn(later, store)).toMatchObject({ rows: ['ALERT', 'USER'] });
    const direct = "import { many } from './store.ts'; export const handler = () => many(['a']);";
    expect(await partitionsIn(direct, store)).toMatchObject({ rows: ['USER'] });
  });

  it('leave out keys of code that the function never uses', async () => {
    const store = 'export const used = () => keys.alert(1); export const unused = () => keys.session(1);';
    const handler = "import { used } from './store.ts'; export const handler = () => used();";
    expect(await partitionsIn(handler, store)).toEqual({ rows: ['ALERT'], lists: [] });
  });

  it('are those of the lists whose entities it names', async () => {
    const store = `
      const alertEntity = 'ALERT';
      const userEntity = 'USER';
      export const alerts = () => [alertEntity, keys.length];
      export const users = () => userEntity;`;
    const handler = "import { alerts } from './store.ts'; export const handler = () => alerts();";
    expect(await partitionsIn(handler, store)).toEqual({ rows: [], lists: ['ALERT'] });
  });
});

it('registers lists only for functions that may query them, and rows only for those that may use the table', () => {
  const found = new Map(['a/rows', 'a/lists', 'a/due', 'a/none'].map((name) => [name, { rows: ['X'], lists: ['Y'] }]));
  const text = registeredPartitionsText(
    [
      { area: 'a', name: 'rows', grants: { table: ['GetItem'] } },
      { area: 'a', name: 'lists', grants: { indexes: ['list1'] } },
      { area: 'a', name: 'due', grants: { table: ['GetItem'], indexes: ['due'] } },
      { area: 'a', name: 'none', grants: {} },
    ],
    found,
  );
  expect(JSON.parse(text)).toEqual({
    'a/rows': { rows: ['X'], lists: [] },
    'a/lists': { rows: [], lists: ['Y'] },
    'a/due': { rows: ['X'], lists: [] },
  });
});

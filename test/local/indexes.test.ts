import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compact } from '#lib/local/aws/emulator-file.ts';
import { dropIndexes } from '#lib/local/aws/emulator-indexes.ts';
import { type EmulatorProcess, startTableEmulator } from '#lib/local/aws/emulator-process.ts';
import type { TableDefinition } from '#lib/local/aws/table-definition.ts';
import { openTables, type Tables } from '#lib/local/aws/tables.ts';

/** The stack's own emulator, whose indexes are views, beside one that keeps them as it always does. */

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;
const keyed = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
const TableName = 'my-own_table.1';
const definition: TableDefinition = {
  TableName,
  KeySchema: keyed('pk', 'sk'),
  AttributeDefinitions: ['pk', 'sk', 'listPk', "owner's", 'listSk'].map(text),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'list',
      KeySchema: keyed('listPk', 'listSk'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['summary', 'say "it"'] },
    },
    { IndexName: 'keys', KeySchema: keyed("owner's", 'listSk'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    { IndexName: 'all', KeySchema: keyed('listPk', 'sk'), Projection: { ProjectionType: 'ALL' } },
  ],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forewarn-indexes-'));
});
const open: { emulator: EmulatorProcess; tables: Tables }[] = [];
afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (name: string, isOwn: boolean): Promise<Tables> => {
  const file = join(folder, name);
  const emulator = await startTableEmulator(file);
  const clock = { ...{ now: Date.now, offsetMilliseconds: () => 0 }, ...{ moveTo: () => undefined } };
  const moves = { stepTo: () => undefined, beginAgain: () => undefined, onMove: () => undefined };
  const tables = openTables({ url: emulator.url, file: isOwn ? file : undefined }, { ...clock, ...moves }, [
    definition,
  ]);
  await tables.create();
  open.push({ emulator, tables });
  return tables;
};

const S = (value: string): AttributeValue => ({ S: value });
const item = (n: number, owner: string): Record<string, AttributeValue> => ({
  ...{ pk: S(`P#${n % 5}`), sk: S(`S'${n}`), listPk: S(`L#${n % 2}`), "owner's": S(owner) },
  ...{ listSk: S(`2026-01-0${1 + (n % 3)}`), hidden: S('not shown') },
  // One that the index shows if it is there; a value of each kind that JSON could spoil.
  ...(n % 4 > 0 && {
    summary: { M: { 'ä"\\': { L: [{ N: '12.50' }, { NULL: true }, { BOOL: false }] }, empty: S('') } },
  }),
  ...(n % 3 > 0 && { 'say "it"': { B: new Uint8Array([0, 255]) } }),
});

/** A key that JSON spells in another way. */
const other = 'O"ä\\\n\u0001#2';

/** Comes to indexes, moves within them, leaves them, goes; alone and in a transaction. */
const write = async ({ client }: Tables): Promise<void> => {
  for (let n = 0; n < 40; n += 1) await client.send(new PutItemCommand({ TableName, Item: item(n, 'O#1') }));
  const keyOf = (n: number) => ({ pk: S(`P#${n % 5}`), sk: S(`S'${n}`) });
  await client.send(new PutItemCommand({ TableName, Item: { ...keyOf(99), hidden: S('in no list') } }));
  await client.send(new PutItemCommand({ TableName, Item: item(3, other) }));
  await client.send(new PutItemCommand({ TableName, Item: { ...item(9, 'O#1'), listSk: S('2026-01-09') } }));
  await client.send(new DeleteItemCommand({ TableName, Key: keyOf(4) }));
  const update = { ExpressionAttributeNames: { '#a': 'listPk' }, UpdateExpression: 'REMOVE #a' };
  await client.send(new UpdateItemCommand({ TableName, Key: keyOf(5), ...update }));
  await client.send(
    new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName, Item: item(6, other) } },
        { Delete: { TableName, Key: keyOf(7) } },
        { Update: { TableName, Key: keyOf(8), ...update } },
      ],
    }),
  );
};

/** Every page of an index, forwards and backwards, two and a half to a key. */
const pagesOf = async ({ client }: Tables, IndexName: string, hash: string, value: string): Promise<unknown[]> => {
  const pages: unknown[] = [];
  for (const ScanIndexForward of [true, false]) {
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const query = {
        ...{ TableName, IndexName, ScanIndexForward, ExclusiveStartKey, Limit: 5 },
        ...{ KeyConditionExpression: '#h = :h', ExpressionAttributeNames: { '#h': hash } },
        ExpressionAttributeValues: { ':h': S(value) },
      };
      const { Items, Count, LastEvaluatedKey } = await client.send(new QueryCommand(query));
      pages.push({ Items, Count, LastEvaluatedKey });
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return pages;
};

const readAll = async (tables: Tables) => ({
  list: [await pagesOf(tables, 'list', 'listPk', 'L#0'), await pagesOf(tables, 'list', 'listPk', 'L#1')],
  keys: [await pagesOf(tables, 'keys', "owner's", 'O#1'), await pagesOf(tables, 'keys', "owner's", other)],
  all: await pagesOf(tables, 'all', 'listPk', 'L#1'),
  scanned: (await tables.client.send(new ScanCommand({ TableName, IndexName: 'list' }))).Items,
});

const typesIn = (name: string): unknown[] => {
  const file = new DatabaseSync(join(folder, name), { readOnly: true });
  const rows = file.prepare("SELECT type FROM sqlite_schema WHERE name LIKE '%::gsi::%' AND tbl_name = name").all();
  file.close();
  return rows.map(({ type }) => type);
};

/** Numbers of items that are in no list any more. */
const leftOver = (name: string): unknown[] => {
  const file = new DatabaseSync(join(folder, name), { readOnly: true });
  const unlisted = `SELECT id FROM "${TableName} items" EXCEPT SELECT id / 32 FROM "${TableName} entries"`;
  const rows = file.prepare(unlisted).all();
  file.close();
  return rows;
};

const listsIn = (name: string): unknown[] => {
  const file = new DatabaseSync(join(folder, name), { readOnly: true });
  const rows = file.prepare(`SELECT gsi_pk FROM "${TableName} lists"`).all();
  file.close();
  return rows.map(({ gsi_pk: list }) => String(list).replace(/^S:/, ''));
};

const [entries, items, lists, indexes, indexed] = ['entries', 'items', 'lists', 'indexes', 'indexed'].map(
  (what) => `"${TableName} ${what}"`,
);
const textsOfEntries = `SELECT table_pk, table_sk, ${indexes}.name AS name, gsi_pk, gsi_sk FROM ${entries}
  JOIN ${items} ON ${entries}.id / 32 = ${items}.id JOIN ${lists} ON list = ${lists}.id
  JOIN ${indexes} ON ${entries}.id % 32 = ${indexes}.id`;

/** What earlier releases made of entries: these had the keys of their items and lists as texts, then their numbers. */
const earlierTables = {
  texts: `CREATE TABLE ${indexed} (
      table_pk TEXT NOT NULL, table_sk TEXT NOT NULL, name TEXT NOT NULL, gsi_pk TEXT NOT NULL, gsi_sk TEXT NOT NULL,
      PRIMARY KEY (table_pk, table_sk, name)) WITHOUT ROWID;
    CREATE INDEX "${TableName} in order" ON ${indexed} (name, gsi_pk, gsi_sk);
    INSERT INTO ${indexed} SELECT * FROM spelled`,
  numbers: `CREATE TABLE ${items} (id INTEGER PRIMARY KEY, table_pk TEXT NOT NULL, table_sk TEXT NOT NULL, UNIQUE (table_pk, table_sk));
    CREATE TABLE ${lists} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gsi_pk TEXT NOT NULL, UNIQUE (name, gsi_pk));
    CREATE TABLE ${indexed} (item INTEGER NOT NULL, list INTEGER NOT NULL, gsi_sk TEXT NOT NULL,
      PRIMARY KEY (item, list)) WITHOUT ROWID;
    CREATE INDEX "${TableName} in order" ON ${indexed} (list, gsi_sk);
    INSERT INTO ${items} (table_pk, table_sk) SELECT DISTINCT table_pk, table_sk FROM spelled ORDER BY random();
    INSERT INTO ${lists} (name, gsi_pk) SELECT DISTINCT name, gsi_pk FROM spelled ORDER BY random();
    INSERT INTO ${indexed} SELECT ${items}.id, ${lists}.id, gsi_sk FROM spelled
      JOIN ${items} USING (table_pk, table_sk) JOIN ${lists} USING (name, gsi_pk)`,
};

/** Makes of a file what an earlier release made. */
const makeEarlier = (name: string, how: keyof typeof earlierTables): void => {
  const file = new DatabaseSync(join(folder, name));
  file.exec(`CREATE TEMP TABLE spelled AS ${textsOfEntries}`);
  dropIndexes(file, TableName);
  file.exec(earlierTables[how]);
  for (const { IndexName } of definition.GlobalSecondaryIndexes) {
    const view = `"${TableName}::gsi::${IndexName}"`;
    file.exec(`CREATE VIEW ${view} AS SELECT '' AS gsi_pk, gsi_sk, '' AS table_pk, '' AS table_sk, '{}' AS item_json FROM ${indexed};
      CREATE TRIGGER "${TableName}::gsi::${IndexName} goes" INSTEAD OF DELETE ON ${view} BEGIN DELETE FROM ${indexed}; END`);
  }
  file.close();
};

const stopAll = async (): Promise<void> => {
  for (const { emulator, tables } of open.splice(0)) {
    tables.close();
    await emulator.stop();
  }
};

it('answers from views what the emulator answers from copies', async () => {
  const [thin, copies] = [await start('thin.sqlite', true), await start('copies.sqlite', false)];
  await write(thin);
  await write(copies);
  const read = await readAll(thin);
  expect(read).toEqual(await readAll(copies));
  expect(read.list.flat().length).toBeGreaterThan(8);
  expect(typesIn('thin.sqlite')).toEqual(['view', 'view', 'view']);
});

it.each(['texts', 'numbers'] as const)('reads the entries of an earlier release: %s', async (how) => {
  const before = await start('before.sqlite', true);
  await write(before);
  const read = await readAll(before);
  await stopAll();
  makeEarlier('before.sqlite', how);
  const after = await start('before.sqlite', true);
  expect(await readAll(after)).toEqual(read);
  expect(leftOver('before.sqlite')).toEqual([]);
  await write(after);
  expect(await readAll(after)).toEqual(read);
});

/** An item that came and went, alone in a list. */
const passThrough = async ({ client }: Tables): Promise<void> => {
  const one = item(41, 'O#alone');
  await client.send(new PutItemCommand({ TableName, Item: one }));
  const Key = { pk: one['pk'] ?? S(''), sk: one['sk'] ?? S('') };
  await client.send(new DeleteItemCommand({ TableName, Key }));
};

it('forgets at its start the lists that nothing is in any more, and items that are in none', async () => {
  const before = await start('lists.sqlite', true);
  await write(before);
  await passThrough(before);
  const read = await readAll(before);
  expect(listsIn('lists.sqlite')).toContain('O#alone');
  expect(leftOver('lists.sqlite')).not.toEqual([]);
  await stopAll();
  const after = await start('lists.sqlite', true);
  expect(listsIn('lists.sqlite').join()).not.toContain('O#alone');
  expect(leftOver('lists.sqlite')).toEqual([]);
  expect(await readAll(after)).toEqual(read);
});

it('forgets them when the file is compacted, too', async () => {
  const before = await start('lists.sqlite', true);
  await write(before);
  await passThrough(before);
  const read = await readAll(before);
  await stopAll();
  const path = join(folder, 'lists.sqlite');
  const file = new DatabaseSync(path);
  file.exec('CREATE TABLE large AS SELECT zeroblob(8000000); DROP TABLE large');
  file.close();
  compact(path, (sentence) => expect.unreachable(sentence));
  expect(listsIn('lists.sqlite').join()).not.toContain('O#alone');
  expect(leftOver('lists.sqlite')).toEqual([]);
  expect(await readAll(await start('lists.sqlite', true))).toEqual(read);
});

it('begins anew where a deletion was cut off between the indexes and their table', async () => {
  const before = await start('cut.sqlite', true);
  await write(before);
  const file = new DatabaseSync(join(folder, 'cut.sqlite'));
  dropIndexes(file, TableName);
  file.close();
  await stopAll();
  const after = await start('cut.sqlite', true);
  expect((await after.client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  await write(after);
  expect(await pagesOf(after, 'list', 'listPk', 'L#1')).not.toMatchObject([{ Count: 0 }, { Count: 0 }]);
});

it('takes the copies out of a file that has them, and begins anew without either', async () => {
  const before = await start('table.sqlite', false);
  await write(before);
  const read = await readAll(before);
  await stopAll();
  const after = await start('table.sqlite', true);
  expect(await readAll(after)).toEqual(read);
  expect(typesIn('table.sqlite')).toEqual(['view', 'view', 'view']);
  // As at each start.
  await after.create();
  await write(after);
  expect(await readAll(after)).toEqual(read);
  await after.clear();
  expect(await pagesOf(after, 'list', 'listPk', 'L#1')).toMatchObject([{ Count: 0 }, { Count: 0 }]);
  await write(after);
  expect(await readAll(after)).toEqual(read);
});

import type { DatabaseSync } from 'node:sqlite';
import { identifier, literal } from './sql-text.ts';
import type { TableDefinition } from './table-definition.ts';

/**
 * The indexes of a table in the emulator's file. The emulator keeps a copy of what an index shows beside each of its keys, for each
 * index anew. Here there are numbers of items and of lists, and the keys that sort them; a view under the name by which the emulator
 * asks adds what the index shows from the item itself. See docs/decisions/0142.
 */

type Index = TableDefinition['GlobalSecondaryIndexes'][number];

/**
 * The tables of a table's indexes: which items are in which lists, all by number. A list is what has one hash key in one index, and an
 * item is in at most one of each index: so its entry's own number is made of the item's and the index's.
 */
const tablesOf = (tableName: string) => ({
  entries: identifier(`${tableName} entries`),
  items: identifier(`${tableName} items`),
  lists: identifier(`${tableName} lists`),
  numbers: identifier(`${tableName} indexes`),
  /** What entries were called when they had no numbers of their own. */
  before: identifier(`${tableName} indexed`),
});

/** More than DynamoDB has indexes of a table. */
const indexesAtMost = 32;
const entryOf = (item: string, number: string | number): string => `${item} * ${indexesAtMost} + ${number}`;
const entriesOf = (item: string): string => `id BETWEEN ${entryOf(item, 0)} AND ${entryOf(item, indexesAtMost - 1)}`;
const itemOf = (entry: string): string => `${entry} / ${indexesAtMost}`;

const indexOf = (tableName: string, { IndexName }: Index): string => `${tableName}::gsi::${IndexName}`;

/** Whether every key is text: the emulator spells the others in ways of its own. */
const areTexts = ({ AttributeDefinitions }: TableDefinition): boolean =>
  AttributeDefinitions.every(({ AttributeType }) => AttributeType === 'S');

const changesOf = (tableName: string): string => identifier(`${tableName} changes`);

const keysOnly = { ProjectionType: 'KEYS_ONLY' } as const;

/** A table as the emulator is to know it: so that it makes no copies of items only for the views to throw them away. */
export const asKept = (definition: TableDefinition): TableDefinition => ({
  ...definition,
  ...(areTexts(definition) && {
    GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes.map((index) => ({ ...index, Projection: keysOnly })),
  }),
});

/** Puts views in the place of the copies, if they are still there, and makes those that are there as the definition has them now. */
export const thinIndexes = (database: DatabaseSync, definition: TableDefinition): void => {
  const { TableName, GlobalSecondaryIndexes } = definition;
  if (GlobalSecondaryIndexes.length === 0 || !areTexts(definition)) return;
  const typeOf = database.prepare('SELECT type FROM sqlite_schema WHERE name = ?');
  database.exec('BEGIN IMMEDIATE');
  // The table may have been made without some.
  const indexes = GlobalSecondaryIndexes.map((index) => {
    const view = identifier(indexOf(TableName, index));
    return { index, view, type: typeOf.get(indexOf(TableName, index))?.['type'] };
  }).filter(({ type }) => type !== undefined);
  for (const { view, type } of indexes) if (type === 'view') database.exec(`DROP VIEW ${view}`);
  makeTables(database, definition);
  for (const { index, view, type } of indexes) {
    if (type === 'table') {
      const name = literal(index.IndexName);
      enter(database, TableName, `(SELECT table_pk, table_sk, ${name} AS name, gsi_pk, gsi_sk FROM ${view})`);
      database.exec(`DROP TABLE ${view}`);
    }
    database.exec(viewOf(database, definition, index));
  }
  forgetUnused(database, TableName);
  showAll(database, TableName);
  trackChanges(database, TableName);
  database.exec('COMMIT');
};

/** Deletes what `forgetUnused` does, of all tables. */
export const forgetAllUnused = (database: DatabaseSync): void => {
  const tables = database
    .prepare(
      "SELECT substr(name, 1, length(name) - length(' entries')) AS name FROM sqlite_schema WHERE type = 'table' AND name LIKE '% entries'",
    )
    .all();
  database.exec('BEGIN IMMEDIATE');
  for (const { name } of tables) forgetUnused(database, String(name));
  database.exec('COMMIT');
};

/**
 * Deletes the lists that nothing is in any more, and the numbers of items that are in none. Not with their last entries, as an item may
 * come back, and each statement more is a cost of every write.
 */
const forgetUnused = (database: DatabaseSync, tableName: string): void => {
  const { entries, items, lists } = tablesOf(tableName);
  database.exec(`DELETE FROM ${lists} WHERE NOT EXISTS (SELECT 1 FROM ${entries} WHERE list = ${lists}.id);
    DELETE FROM ${items} WHERE NOT EXISTS (SELECT 1 FROM ${entries} WHERE ${entriesOf(`${items}.id`)})`);
};

/** Makes the tables that are not there, and fills them from what an earlier release made. */
const makeTables = (database: DatabaseSync, definition: TableDefinition): void => {
  const { entries, items, lists, numbers, before } = tablesOf(definition.TableName);
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${items} (id INTEGER PRIMARY KEY, table_pk TEXT NOT NULL, table_sk TEXT NOT NULL,
      shown INTEGER NOT NULL DEFAULT 0, UNIQUE (table_pk, table_sk));
    CREATE TABLE IF NOT EXISTS ${lists} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gsi_pk TEXT NOT NULL, UNIQUE (name, gsi_pk));
    CREATE TABLE IF NOT EXISTS ${numbers} (id INTEGER PRIMARY KEY CHECK (id < ${indexesAtMost}), name TEXT NOT NULL UNIQUE,
      hash TEXT NOT NULL, range TEXT);
    CREATE TABLE IF NOT EXISTS ${entries} (id INTEGER PRIMARY KEY, list INTEGER NOT NULL DEFAULT 0, gsi_sk TEXT NOT NULL DEFAULT '')`);
  numberIndexes(database, definition);
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(`${definition.TableName} indexed`);
  const has = (column: string): boolean => columns.some(({ name }) => name === column);
  // First the keys of items and lists stood there as texts, then their numbers.
  if (has('name')) enter(database, definition.TableName, before);
  else if (has('item'))
    database.exec(`ALTER TABLE ${items} ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
      INSERT INTO ${entries} SELECT ${entryOf('item', `${numbers}.id`)}, list, gsi_sk
        FROM ${before} JOIN ${lists} ON ${lists}.id = list JOIN ${numbers} USING (name)`);
  database.exec(`DROP TABLE IF EXISTS ${before};
    CREATE INDEX IF NOT EXISTS ${identifier(`${definition.TableName} in order`)} ON ${entries} (list, gsi_sk)`);
};

/** Gives each index a number that it keeps, and says where an item has its keys. */
const numberIndexes = (database: DatabaseSync, { TableName, GlobalSecondaryIndexes }: TableDefinition): void => {
  const { numbers } = tablesOf(TableName);
  const add = database.prepare(`INSERT OR IGNORE INTO ${numbers} (name, hash, range) VALUES (?, ?, ?)`);
  for (const { IndexName, KeySchema } of GlobalSecondaryIndexes) {
    const pathOf = (type: string): string[] =>
      KeySchema.filter(({ KeyType }) => KeyType === type).map((key) => `$.${JSON.stringify(key.AttributeName)}.S`);
    const [hash = '', range = null] = [...pathOf('HASH'), ...pathOf('RANGE')];
    add.run(IndexName, hash, range);
  }
};

/** Enters what a query has as texts. */
const enter = (database: DatabaseSync, tableName: string, source: string): void => {
  const { entries, items, lists, numbers } = tablesOf(tableName);
  database.exec(`INSERT OR IGNORE INTO ${items} (table_pk, table_sk) SELECT table_pk, table_sk FROM ${source};
    INSERT OR IGNORE INTO ${lists} (name, gsi_pk) SELECT name, gsi_pk FROM ${source};
    INSERT INTO ${entries} SELECT ${entryOf(`${items}.id`, `${numbers}.id`)}, ${lists}.id, gsi_sk
      FROM ${source} JOIN ${items} USING (table_pk, table_sk) JOIN ${lists} USING (name, gsi_pk) JOIN ${numbers} USING (name)`);
};

/** Takes the views away, which the emulator would not delete with a table, and the keys. */
export const dropIndexes = (database: DatabaseSync, tableName: string): void => {
  const views = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'view' AND substr(name, 1, length(?1)) = ?1")
    .all(`${tableName}::gsi::`);
  database.exec('BEGIN IMMEDIATE');
  for (const { name } of views) database.exec(`DROP VIEW ${identifier(String(name))}`);
  database.exec(`DROP TRIGGER IF EXISTS ${changesOf(tableName)}`);
  for (const table of Object.values(tablesOf(tableName))) database.exec(`DROP TABLE IF EXISTS ${table}`);
  database.exec('COMMIT');
};

/** Whether a table is there without any of its indexes: it was being deleted when the stack was killed. */
export const lacksIndexes = (database: DatabaseSync, definition: TableDefinition): boolean => {
  const { TableName, GlobalSecondaryIndexes: indexes } = definition;
  const named = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const isThere = (name: string): boolean => named.get(name) !== undefined;
  return indexes.length > 0 && isThere(TableName) && !indexes.some((index) => isThere(indexOf(TableName, index)));
};

/** Has the indexes show what was entered past their views. */
const showAll = (database: DatabaseSync, tableName: string): void => {
  const { entries, items } = tablesOf(tableName);
  database.exec(`UPDATE ${items} SET shown = (SELECT coalesce(sum(1 << id % ${indexesAtMost}), 0) FROM ${entries}
    WHERE ${entriesOf(`${items}.id`)}) WHERE shown = 0`);
};

/**
 * The emulator writes an item first, then for each index deletes its entry and, if the item has its keys, inserts it anew. But most
 * writes change no keys. So as soon as an item is written, its entries with other keys go, and no index shows the others (`shown` has a
 * bit for each index) before they are inserted again, and are there already: what the emulator deletes meanwhile is not in its view,
 * and SQLite need not compute what that would show. An item that is itself deleted is shown until its entries are.
 */
const trackChanges = (database: DatabaseSync, tableName: string): void => {
  const { entries, items, lists, numbers } = tablesOf(tableName);
  const item = `(SELECT id FROM ${items} WHERE table_pk = NEW.pk AND table_sk = NEW.sk)`;
  database.exec(`DROP TRIGGER IF EXISTS ${changesOf(tableName)};
    CREATE TRIGGER ${changesOf(tableName)} AFTER INSERT ON ${identifier(tableName)} BEGIN
      UPDATE ${items} SET shown = 0 WHERE table_pk = NEW.pk AND table_sk = NEW.sk;
      DELETE FROM ${entries} WHERE ${entriesOf(item)} AND (SELECT
        'S:' || (NEW.item_json ->> hash) IS NOT gsi_pk OR 'S:' || (NEW.item_json ->> range) IS NOT gsi_sk
        FROM ${numbers} CROSS JOIN ${lists} WHERE ${numbers}.id = ${entries}.id % ${indexesAtMost} AND ${lists}.id = list); END`);
};

/**
 * The emulator prepares these statements anew for almost every write, so they are as few and small as can be. None selects from the
 * table into which it inserts, for which SQLite would open a temporary one each time; none says `OR IGNORE`, as the emulator inserts
 * `OR REPLACE`, which goes for the triggers' own statements too, but not for `ON CONFLICT`.
 */
const viewOf = (database: DatabaseSync, { TableName, KeySchema }: TableDefinition, index: Index): string => {
  const { entries, items, lists, numbers } = tablesOf(TableName);
  const [view, name] = [identifier(indexOf(TableName, index)), literal(index.IndexName)];
  const number = Number(database.prepare(`SELECT id FROM ${numbers} WHERE name = ?`).get(index.IndexName)?.['id']);
  const trigger = (what: string) => identifier(`${indexOf(TableName, index)} ${what}`);
  const item = `(SELECT id FROM ${items} WHERE table_pk = NEW.table_pk AND table_sk = NEW.table_sk)`;
  const list = `(SELECT id FROM ${lists} WHERE name = ${name} AND gsi_pk = NEW.gsi_pk)`;
  return `CREATE VIEW ${view} AS SELECT gsi_pk, gsi_sk, table_pk, table_sk,
      (SELECT ${projectionOf(KeySchema, index)} FROM ${identifier(TableName)} WHERE pk = table_pk AND sk = table_sk) AS item_json,
      ${entries}.id AS entry
      FROM ${lists} JOIN ${entries} ON list = ${lists}.id
      JOIN ${items} ON ${items}.id = ${itemOf(`${entries}.id`)} AND ${entries}.id = ${entryOf(`${items}.id`, number)}
      WHERE name = ${name} AND shown & ${1 << number};
    CREATE TRIGGER ${trigger('comes')} INSTEAD OF INSERT ON ${view} BEGIN
      INSERT INTO ${items} (table_pk, table_sk, shown) VALUES (NEW.table_pk, NEW.table_sk, ${1 << number})
        ON CONFLICT DO UPDATE SET shown = shown | ${1 << number};
      INSERT INTO ${lists} (name, gsi_pk) VALUES (${name}, NEW.gsi_pk) ON CONFLICT DO NOTHING;
      INSERT INTO ${entries} (id, list, gsi_sk) VALUES (${entryOf(item, number)}, ${list}, NEW.gsi_sk) ON CONFLICT DO NOTHING; END;
    CREATE TRIGGER ${trigger('goes')} INSTEAD OF DELETE ON ${view} BEGIN
      DELETE FROM ${entries} WHERE id = OLD.entry; END`;
};

/** What an index shows of an item, as an expression on its JSON: its keys, and those of the other attributes that it has. */
const projectionOf = (tableKeys: Index['KeySchema'], { KeySchema, Projection }: Index): string => {
  if (Projection.ProjectionType === 'ALL') return 'item_json';
  const keys = [...new Set([...tableKeys, ...KeySchema].map(({ AttributeName }) => AttributeName))];
  const others = (Projection.NonKeyAttributes ?? []).filter((name) => !keys.includes(name));
  const jsonOf = (name: string) => `(item_json -> ${literal(`$.${JSON.stringify(name)}`)})`;
  // Of an attribute that the item lacks, NULL, which `concat` takes for nothing.
  const fieldOf = (name: string, n: number) =>
    `${literal(`${n === 0 ? '{' : ','}${JSON.stringify(name)}:`)} || ${jsonOf(name)}`;
  return `concat(${[...keys, ...others].map(fieldOf).join(', ')}, '}')`;
};

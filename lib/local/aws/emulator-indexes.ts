import type { DatabaseSync } from 'node:sqlite';
import { identifier, literal } from './sql-text.ts';
import type { TableDefinition } from './table-definition.ts';

/**
 * The indexes of a table in the emulator's file. The emulator keeps a copy of what an index shows beside each of its keys, for each
 * index anew. Here there are numbers of items and of lists, and the keys that sort them; a view under the name by which the emulator
 * asks adds what the index shows from the item itself. See docs/decisions/0142.
 */

type Index = TableDefinition['GlobalSecondaryIndexes'][number];

/** The tables of a table's indexes: which items are in which lists, both by number. A list is what has one hash key in one index. */
const tablesOf = (tableName: string) => ({
  entries: identifier(`${tableName} indexed`),
  items: identifier(`${tableName} items`),
  lists: identifier(`${tableName} lists`),
});
const indexOf = (tableName: string, { IndexName }: Index): string => `${tableName}::gsi::${IndexName}`;

/** Whether every key is text: the emulator spells the others in ways of its own. */
const areTexts = ({ AttributeDefinitions }: TableDefinition): boolean =>
  AttributeDefinitions.every(({ AttributeType }) => AttributeType === 'S');

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
  makeTables(database, TableName);
  for (const { index, view, type } of indexes) {
    if (type === 'table') {
      const name = literal(index.IndexName);
      enter(database, TableName, `(SELECT table_pk, table_sk, ${name} AS name, gsi_pk, gsi_sk FROM ${view})`);
      database.exec(`DROP TABLE ${view}`);
    }
    database.exec(viewOf(definition, index));
  }
  forgetLists(database, TableName);
  database.exec('COMMIT');
};

/** Deletes the lists that nothing is in any more. Not with their last entries, as the emulator writes an item by deleting it first. */
const forgetLists = (database: DatabaseSync, tableName: string): void => {
  const { entries, lists } = tablesOf(tableName);
  database.exec(`DELETE FROM ${lists} WHERE NOT EXISTS (SELECT 1 FROM ${entries} WHERE list = ${lists}.id)`);
};

/** Makes the tables that are not there, and fills them from that in which each entry had the keys of its item and list as texts. */
const makeTables = (database: DatabaseSync, tableName: string): void => {
  const { entries, items, lists } = tablesOf(tableName);
  const before = identifier(`${tableName} indexed before`);
  const hasTexts = database
    .prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?')
    .get(`${tableName} indexed`, 'name');
  if (hasTexts)
    database.exec(`ALTER TABLE ${entries} RENAME TO ${before}; DROP INDEX ${identifier(`${tableName} in order`)}`);
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${items} (id INTEGER PRIMARY KEY, table_pk TEXT NOT NULL, table_sk TEXT NOT NULL, UNIQUE (table_pk, table_sk));
    CREATE TABLE IF NOT EXISTS ${lists} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gsi_pk TEXT NOT NULL, UNIQUE (name, gsi_pk));
    CREATE TABLE IF NOT EXISTS ${entries} (item INTEGER NOT NULL, list INTEGER NOT NULL, gsi_sk TEXT NOT NULL,
      PRIMARY KEY (item, list)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${identifier(`${tableName} in order`)} ON ${entries} (list, gsi_sk)`);
  if (!hasTexts) return;
  enter(database, tableName, before);
  database.exec(`DROP TABLE ${before}`);
};

/** Enters what a query has as texts. */
const enter = (database: DatabaseSync, tableName: string, source: string): void => {
  const { entries, items, lists } = tablesOf(tableName);
  database.exec(`INSERT OR IGNORE INTO ${items} (table_pk, table_sk) SELECT table_pk, table_sk FROM ${source};
    INSERT OR IGNORE INTO ${lists} (name, gsi_pk) SELECT name, gsi_pk FROM ${source};
    INSERT INTO ${entries} SELECT ${items}.id, ${lists}.id, gsi_sk
      FROM ${source} JOIN ${items} USING (table_pk, table_sk) JOIN ${lists} USING (name, gsi_pk)`);
};

/** Takes the views away, which the emulator would not delete with a table, and the keys. */
export const dropIndexes = (database: DatabaseSync, tableName: string): void => {
  const views = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'view' AND substr(name, 1, length(?1)) = ?1")
    .all(`${tableName}::gsi::`);
  database.exec('BEGIN IMMEDIATE');
  for (const { name } of views) database.exec(`DROP VIEW ${identifier(String(name))}`);
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

/**
 * Nothing here says what to do about a row that is there: the emulator inserts `OR REPLACE`, which would go for the triggers' own
 * statements too.
 */
const viewOf = ({ TableName, KeySchema }: TableDefinition, index: Index): string => {
  const { entries, items, lists } = tablesOf(TableName);
  const [view, name] = [identifier(indexOf(TableName, index)), literal(index.IndexName)];
  const trigger = (what: string) => identifier(`${indexOf(TableName, index)} ${what}`);
  const item = `FROM ${items} WHERE table_pk = NEW.table_pk AND table_sk = NEW.table_sk`;
  const list = `FROM ${lists} WHERE name = ${name} AND gsi_pk = NEW.gsi_pk`;
  return `CREATE VIEW ${view} AS SELECT gsi_pk, gsi_sk, table_pk, table_sk,
      (SELECT ${projectionOf(KeySchema, index)} FROM ${identifier(TableName)} WHERE pk = table_pk AND sk = table_sk) AS item_json,
      item, list
      FROM ${entries} JOIN ${lists} ON ${lists}.id = list JOIN ${items} ON ${items}.id = item WHERE name = ${name};
    CREATE TRIGGER ${trigger('comes')} INSTEAD OF INSERT ON ${view} BEGIN
      INSERT INTO ${items} (table_pk, table_sk) SELECT NEW.table_pk, NEW.table_sk WHERE NOT EXISTS (SELECT 1 ${item});
      INSERT INTO ${lists} (name, gsi_pk) SELECT ${name}, NEW.gsi_pk WHERE NOT EXISTS (SELECT 1 ${list});
      INSERT INTO ${entries} (item, list, gsi_sk) VALUES ((SELECT id ${item}), (SELECT id ${list}), NEW.gsi_sk); END;
    CREATE TRIGGER ${trigger('goes')} INSTEAD OF DELETE ON ${view} BEGIN
      DELETE FROM ${entries} WHERE item = OLD.item AND list = OLD.list;
      DELETE FROM ${items} WHERE id = OLD.item AND NOT EXISTS (SELECT 1 FROM ${entries} WHERE item = OLD.item); END`;
};

/** What an index shows of an item, as an expression on its JSON: its keys, and those of the other attributes that it has. */
const projectionOf = (tableKeys: Index['KeySchema'], { KeySchema, Projection }: Index): string => {
  if (Projection.ProjectionType === 'ALL') return 'item_json';
  const keys = [...new Set([...tableKeys, ...KeySchema].map(({ AttributeName }) => AttributeName))];
  const others = (Projection.NonKeyAttributes ?? []).filter((name) => !keys.includes(name));
  const jsonOf = (name: string) => `(item_json -> ${literal(`$.${JSON.stringify(name)}`)})`;
  const fieldOf = (before: string) => (name: string) =>
    `${literal(`${before}${JSON.stringify(name)}:`)} || ${jsonOf(name)}`;
  const [first = '', ...rest] = keys;
  return [
    fieldOf('{')(first),
    ...rest.map(fieldOf(',')),
    ...others.map((name) => `coalesce(${fieldOf(',')(name)}, '')`),
    "'}'",
  ].join(' || ');
};

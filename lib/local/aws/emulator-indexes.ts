import type { DatabaseSync } from 'node:sqlite';
import { identifier, literal } from './sql-text.ts';
import type { TableDefinition } from './table-definition.ts';

/**
 * The indexes of a table in the emulator's file. The emulator keeps a copy of what an index shows beside each of its keys, for each
 * index anew. Here there are the keys alone, and a view under the name by which the emulator asks adds what the index shows from the
 * item itself. See docs/decisions/0142.
 */

type Index = TableDefinition['GlobalSecondaryIndexes'][number];

const keysOf = (tableName: string): string => identifier(`${tableName} indexed`);
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
  const { TableName, GlobalSecondaryIndexes: indexes } = definition;
  if (indexes.length === 0 || !areTexts(definition)) return;
  const keys = keysOf(TableName);
  const typeOf = database.prepare('SELECT type FROM sqlite_schema WHERE name = ?');
  database.exec('BEGIN IMMEDIATE');
  database.exec(`CREATE TABLE IF NOT EXISTS ${keys} (
    table_pk TEXT NOT NULL, table_sk TEXT NOT NULL, name TEXT NOT NULL, gsi_pk TEXT NOT NULL, gsi_sk TEXT NOT NULL,
    PRIMARY KEY (table_pk, table_sk, name)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${identifier(`${TableName} in order`)} ON ${keys} (name, gsi_pk, gsi_sk)`);
  for (const index of indexes) {
    const type = typeOf.get(indexOf(TableName, index))?.['type'];
    // An index that the table was made without.
    if (type === undefined) continue;
    const view = identifier(indexOf(TableName, index));
    if (type === 'table') {
      const name = literal(index.IndexName);
      database.exec(`INSERT INTO ${keys} SELECT table_pk, table_sk, ${name}, gsi_pk, gsi_sk FROM ${view}`);
      database.exec(`DROP TABLE ${view}`);
    } else database.exec(`DROP VIEW ${view}`);
    database.exec(viewOf(definition, index));
  }
  database.exec('COMMIT');
};

/** Takes the views away, which the emulator would not delete with a table, and the keys. */
export const dropIndexes = (database: DatabaseSync, tableName: string): void => {
  const views = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'view' AND substr(name, 1, length(?1)) = ?1")
    .all(`${tableName}::gsi::`);
  database.exec('BEGIN IMMEDIATE');
  for (const { name } of views) database.exec(`DROP VIEW ${identifier(String(name))}`);
  database.exec(`DROP TABLE IF EXISTS ${keysOf(tableName)}; COMMIT`);
};

/** Whether a table is there without any of its indexes: it was being deleted when the stack was killed. */
export const lacksIndexes = (database: DatabaseSync, definition: TableDefinition): boolean => {
  const { TableName, GlobalSecondaryIndexes: indexes } = definition;
  const named = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const isThere = (name: string): boolean => named.get(name) !== undefined;
  return indexes.length > 0 && isThere(TableName) && !indexes.some((index) => isThere(indexOf(TableName, index)));
};

const viewOf = ({ TableName, KeySchema }: TableDefinition, index: Index): string => {
  const [keys, view, name] = [keysOf(TableName), identifier(indexOf(TableName, index)), literal(index.IndexName)];
  const own = `${keys} WHERE name = ${name}`;
  const trigger = (what: string) => identifier(`${indexOf(TableName, index)} ${what}`);
  return `CREATE VIEW ${view} AS SELECT gsi_pk, gsi_sk, table_pk, table_sk,
      (SELECT ${shownOf(KeySchema, index)} FROM ${identifier(TableName)} WHERE pk = table_pk AND sk = table_sk) AS item_json
      FROM ${own};
    CREATE TRIGGER ${trigger('comes')} INSTEAD OF INSERT ON ${view} BEGIN
      INSERT OR REPLACE INTO ${keys} (table_pk, table_sk, name, gsi_pk, gsi_sk)
        VALUES (NEW.table_pk, NEW.table_sk, ${name}, NEW.gsi_pk, NEW.gsi_sk); END;
    CREATE TRIGGER ${trigger('goes')} INSTEAD OF DELETE ON ${view} BEGIN
      DELETE FROM ${own} AND table_pk = OLD.table_pk AND table_sk = OLD.table_sk; END`;
};

/** What an index shows of an item, as an expression on its JSON: its keys, and those of the other attributes that it has. */
const shownOf = (tableKeys: Index['KeySchema'], { KeySchema, Projection }: Index): string => {
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

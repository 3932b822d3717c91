import { DatabaseSync } from 'node:sqlite';
import { number } from '../state.ts';
import { dropIndexes, lacksIndexes, thinIndexes } from './emulator-indexes.ts';
import { identifier, literal } from './sql-text.ts';
import type { TableDefinition } from './table-definition.ts';

/** The file of the stack's own DynamoDB emulator, which writes what anybody does to a table, and is maintained here. */
export type EmulatorFile = {
  /** A number that changes with every write of the emulator. */
  version(): number;
  indexStream(): void;
  /** See emulator-indexes.ts for these three. */
  thinIndexes(definition: TableDefinition): void;
  dropIndexes(tableName: string): void;
  lacksIndexes(definition: TableDefinition): boolean;
  /** See Tables for these two. */
  keepInStream(tableName: string, entities: readonly string[] | undefined): void;
  forgetStream(tableName: string, before: string): void;
  close(): void;
};

const byNumber = 'CAST(sequence_number AS INTEGER)';

/** Opens the file beside the emulator. */
export const openEmulatorFile = (file: string): EmulatorFile => {
  const database = new DatabaseSync(file, { timeout: 5000 });
  const version = database.prepare('PRAGMA data_version');
  return {
    version: () => number(version.get(), 'data_version'),
    indexStream: () => indexRecords(database),
    thinIndexes: (definition) => thinIndexes(database, definition),
    dropIndexes: (tableName) => dropIndexes(database, tableName),
    lacksIndexes: (definition) => lacksIndexes(database, definition),
    keepInStream: (tableName, entities) => {
      const trigger = identifier(`unread of ${tableName}`);
      database.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
      if (entities) database.exec(unreadTrigger(trigger, tableName, entities));
    },
    forgetStream: (tableName, before) =>
      void database
        .prepare(
          // Not the last one, by which the emulator numbers the next.
          `DELETE FROM _stream_records WHERE table_name = ?1 AND ${byNumber} <
             min(CAST(?2 AS INTEGER), (SELECT max(${byNumber}) FROM _stream_records WHERE table_name = ?1))`,
        )
        .run(tableName, before),
    close: () => database.close(),
  };
};

/** Without this index each write costs the emulator time in proportion to the length of the stream. */
const indexRecords = (database: DatabaseSync): void =>
  database.exec(`CREATE INDEX IF NOT EXISTS stream_records_by_number ON _stream_records (table_name, ${byNumber})`);

/** The same in the file of an emulator that is nobody's stack. */
export const indexStream = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5000 });
  indexRecords(database);
  database.close();
};

/** The emulator numbers records by the last one that is there, so one that is left out leaves no gap. */
const unreadTrigger = (trigger: string, tableName: string, entities: readonly string[]): string => {
  const wanted = `(${entities.map(literal).join(', ')})`;
  const isUnread = (image: string) => `coalesce(json_extract(NEW.${image}, '$.entity.S'), '') NOT IN ${wanted}`;
  return `CREATE TRIGGER ${trigger} BEFORE INSERT ON _stream_records
    WHEN NEW.table_name = ${literal(tableName)} AND ${isUnread('new_image')} AND ${isUnread('old_image')}
    BEGIN SELECT RAISE(IGNORE); END`;
};

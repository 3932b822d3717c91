import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { number } from '../state.ts';
import { messageOf } from '../user-error.ts';
import { dropIndexes, forgetAllUnused, lacksIndexes, thinIndexes } from './emulator-indexes.ts';
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
  forgetStream(tableName: string, before: number): void;
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

/** Smaller is not worth the time; larger takes more of it than a stack has to stop. In pages of 4 KB. */
const compacted = { least: 1024, most: 65_536 } as const;

/**
 * Writes the file of an emulator that has stopped anew, without what is unused in its pages and between them, if much has come since
 * that was last done. SQLite does it in one transaction: if the process is killed meanwhile, the file is as it was.
 */
export const compact = (file: string, report: (sentence: string) => void): void => {
  // With its folder, if somebody starts from nothing next time.
  if (!existsSync(file)) return;
  try {
    const database = new DatabaseSync(file);
    try {
      vacuum(database);
    } finally {
      database.close();
    }
  } catch (error) {
    // Another program writes to it, or the disk is full.
    report(`${file} was not made smaller (${messageOf(error)}). Nothing is lost, and the next stop tries again.`);
  }
};

const vacuum = (database: DatabaseSync): void => {
  const pragma = (name: string) => number(database.prepare(`PRAGMA ${name}`).get(), name);
  const [pages, free] = [pragma('page_count'), pragma('freelist_count')];
  if (pages < compacted.least || pages > compacted.most) return;
  // A number that SQLite keeps for whoever uses a file, and the emulator does not.
  const before = pragma('user_version');
  if (free < pages / 10 && pages < before * 1.1) return;
  forgetAllUnused(database);
  database.exec('VACUUM');
  database.exec(`PRAGMA user_version = ${pragma('page_count')}`);
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

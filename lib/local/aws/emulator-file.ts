import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { number } from '../state.ts';
import { errorText, UserError } from '../user-error.ts';

/** The file of the stack's own DynamoDB emulator, which writes what anybody does to a table, and is maintained here. */
export type EmulatorFile = {
  /** A number that changes with every write of the emulator. */
  version(): number;
  indexStream(): void;
  /** See Tables. */
  forgetStream(tableName: string, before: number): void;
  /** Deletes every stream record of a table. */
  emptyStream(tableName: string): void;
  close(): void;
};

const byNumber = 'CAST(sequence_number AS INTEGER)';

/** Opens the emulator's file in addition to the emulator. */
export const openEmulatorFile = (file: string): EmulatorFile => {
  const database = new DatabaseSync(file, { timeout: 5000 });
  // The emulator cannot delete a table whose indexes are views.
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'view'").get()) {
    database.close();
    throw new UserError(`${file} is from an earlier version and cannot be read any more; delete its folder.`);
  }
  const version = database.prepare('PRAGMA data_version');
  return {
    version: () => number(version.get(), 'data_version'),
    indexStream: () => indexRecords(database),
    forgetStream: (tableName, before) =>
      void database
        .prepare(
          // Not the last one, by which the emulator numbers the next.
          `DELETE FROM _stream_records WHERE table_name = ?1 AND ${byNumber} <
             min(CAST(?2 AS INTEGER), (SELECT max(${byNumber}) FROM _stream_records WHERE table_name = ?1))`,
        )
        .run(tableName, before),
    emptyStream: (tableName) =>
      void database.prepare('DELETE FROM _stream_records WHERE table_name = ?').run(tableName),
    close: () => database.close(),
  };
};

/** Smaller is not worth the time; larger takes more of it than a stack has to stop. In pages of 4 KB. */
const compacted = { least: 1024, most: 65_536 } as const;

/**
 * Rewrites the file of an emulator that has stopped, without what is unused in its pages and between them, if it has grown much since.
 * SQLite does it in one transaction: if the process is killed meanwhile, the file is as it was.
 */
export const compact = (file: string, report: (sentence: string) => void): void => {
  // With its folder, in case the next start begins without data.
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
    report(`${file} was not made smaller (${errorText(error)}). Nothing is lost, and the next stop tries again.`);
  }
};

const vacuum = (database: DatabaseSync): void => {
  const pragma = (name: string) => number(database.prepare(`PRAGMA ${name}`).get(), name);
  const [pages, free] = [pragma('page_count'), pragma('freelist_count')];
  if (pages < compacted.least || pages > compacted.most) return;
  // SQLite reserves this number for applications; the emulator does not use it.
  const before = pragma('user_version');
  if (free < pages / 10 && pages < before * 1.1) return;
  database.exec('VACUUM');
  database.exec(`PRAGMA user_version = ${pragma('page_count')}`);
};

/** Without this index each write costs the emulator time in proportion to the length of the stream. */
const indexRecords = (database: DatabaseSync): void =>
  database.exec(`CREATE INDEX IF NOT EXISTS stream_records_by_number ON _stream_records (table_name, ${byNumber})`);

/** Adds the index to the file of an emulator that no stack runs. */
export const indexStream = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5000 });
  indexRecords(database);
  database.close();
};

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { codeIn, errorText, UserError } from './user-error.ts';

export type Row = Record<string, SQLOutputValue>;

/** The local stack's own memory, apart from the table: one SQLite file that survives a `kill -9`. */
export type State = {
  database: DatabaseSync;
  /** A remembered text; undefined if there is none. */
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
  /** Forgets every text whose key begins so. */
  removeAll(prefix: string): void;
  /** Runs writes that count together or not at all. */
  together<T>(work: () => T): T;
  /** Why writes fail, such as on a full disk; undefined if they do not. Writes a little to find out. */
  writeProblem(): string | undefined;
  close(): void;
};

/** Opens the state in a data folder, for this process alone. Throws UserError when that cannot be. */
export const openState = (folder: string): State => {
  makeFolder(folder);
  const release = lockFolder(folder);
  const database = openDatabase(folder);
  const read = database.prepare('SELECT value FROM kept WHERE key = ?');
  const write = database.prepare('INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM kept WHERE key = ?');
  const removeAll = database.prepare('DELETE FROM kept WHERE key >= ? AND key < ?');
  return {
    database,
    get: (key) => optionalText(read.get(key), 'value'),
    set: (key, value) => void write.run(key, value),
    remove: (key) => void remove.run(key),
    removeAll: (prefix) => void removeAll.run(prefix, `${prefix}\u{10ffff}`),
    together: (work) => inTransaction(database, work),
    writeProblem: () => {
      try {
        write.run('write-probe', new Date().toISOString());
        return undefined;
      } catch (error) {
        return errorText(error);
      }
    },
    close: () => {
      database.close();
      release();
    },
  };
};

const makeFolder = (folder: string): void => {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new UserError(`The data folder ${folder} cannot be made (${codeIn(error) ?? errorText(error)}).`);
  }
};

/** One by one: Node's own recursive way never ends under /proc and the like. */
const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
};

/** SQLite's own lock: the operating system lets go of it however the process ends. */
const lockFolder = (folder: string): (() => void) => {
  try {
    const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    if (errorText(error).includes('locked')) {
      throw new UserError(`Another local stack is using the data folder ${folder}; stop it or set DATA_DIR.`);
    }
    throw unusable(folder, error);
  }
};

const openDatabase = (folder: string): DatabaseSync => {
  const file = join(folder, 'state.sqlite');
  try {
    const database = new DatabaseSync(file, { timeout: 5000 });
    // A commit reaches the operating system, which keeps it whatever happens to this process; no fsync each time.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec('CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
    chmodSync(file, 0o600);
    return database;
  } catch (error) {
    throw unusable(folder, error);
  }
};

const unusable = (folder: string, error: unknown): UserError =>
  new UserError(`The data folder ${folder} cannot be used (${errorText(error)}); remove it or set DATA_DIR.`);

const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite rolls back by itself when the disk is full: https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

/** A column that holds text. */
export const text = (row: Row | undefined, column: string): string => String(row?.[column]);

/** A column that holds text or nothing. */
export const optionalText = (row: Row | undefined, column: string): string | undefined => {
  const value = row?.[column];
  return value === undefined || value === null ? undefined : String(value);
};

/** A column that holds a number. */
export const number = (row: Row | undefined, column: string): number => Number(row?.[column]);

/** A column that holds a number or nothing. */
export const optionalNumber = (row: Row | undefined, column: string): number | undefined => {
  const value = row?.[column];
  return value === undefined || value === null ? undefined : Number(value);
};

import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { UserError } from '../user-error.ts';
import { compact } from './emulator-file.ts';
import { type EmulatorProcess, startTableEmulator } from './emulator-process.ts';
import type { Shortcut } from './shortcut.ts';
import type { TableDefinition } from './table-definition.ts';
import { openTables, type Tables } from './tables.ts';

export type TableOptions = {
  dataFolder: string;
  /** Tables in the place of an emulator, and a way to them and to the other services on which nothing is sent: for tests. */
  shortcut?: Shortcut | undefined;
  /** A DynamoDB emulator to use instead of the one that comes with the project. */
  tableUrl?: string | undefined;
};

type Started = {
  tables: Tables;
  /** Where they are for functions and programs. */
  tableUrl: string;
  /** Settles with a sentence if the emulator has ended by itself. */
  failed: Promise<UserError>;
};

const never = new Promise<never>(() => undefined);

/** Opens the stack's tables, and makes those that are not there. */
export const startTables = async (
  { dataFolder, shortcut, tableUrl: foreignUrl, report }: TableOptions & { report: (sentence: string) => void },
  definitions: readonly TableDefinition[],
  clock: Clock,
  toClose: AsyncDisposableStack,
): Promise<Started> => {
  if (shortcut) {
    const tables = toClose.adopt(shortcut.openTables(dataFolder, clock, definitions), (one) => one.close());
    return { tables, tableUrl: shortcut.tableUrl, failed: never };
  }
  const file = join(dataFolder, 'table.sqlite');
  const stopAndCompact = (one: EmulatorProcess) => one.stop().then(() => compact(file, report));
  const emulator = foreignUrl ? undefined : toClose.adopt(await startTableEmulator(file), stopAndCompact);
  const tableUrl = foreignUrl ?? emulator?.url ?? '';
  const used = { url: tableUrl, file: emulator && file };
  const tables = toClose.adopt(openTables(used, clock, definitions), (one) => one.close());
  await tables.create();
  return { tables, tableUrl, failed: emulator?.failed ?? never };
};

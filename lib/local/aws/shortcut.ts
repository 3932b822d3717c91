import type { Clock } from '../clock.ts';
import type { Judge } from './access.ts';
import type { AwsServices } from './aws-server.ts';
import type { TableDefinition } from './table-definition.ts';
import type { Tables } from './tables.ts';

/**
 * The replacement for the emulator, and for HTTP between functions and services, in a stack of a test that is not about these: calls are
 * answered where the SDK would write them. See test/support/memory-stack.ts.
 */
export type Shortcut = {
  /** Where the tables are for a program that is started; it finds nothing there. */
  tableUrl: string;
  openTables(dataFolder: string, clock: Clock, definitions: readonly TableDefinition[]): Tables;
  /** Answers the calls of this process from now on, each after `judge` has nothing against it. The returned function undoes it. */
  enter(judge: Judge, services: AwsServices): () => void;
};

import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Table } from '#test/simulation/world/dynamo.ts';
import type { Item } from '#test/simulation/world/expressions.ts';
import { checkRequest } from '#test/simulation/world/requests.ts';
import { expectNoLeaks, watch } from './secret-leak-scan.ts';

/** The commands that it answers; any other goes to an endpoint that does not exist, and whose name says so. */
const commands = [
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
];
const nowhere = 'http://the-table-of-this-test-is-in-memory.invalid';
const tableName = 'forewarn-test';

/** Taken before a test puts a fake one there. */
const { setImmediate } = globalThis;

/** Called with a command of the document client that was answered. */
export type MemoryCall = (command: string, input: object, output: object) => void;

type Command = { constructor: { name: string }; input: Record<string, unknown> };

/**
 * Puts a table in memory in the place of DynamoDB, below the `send` that tests replace and watch: nothing is written as JSON, signed
 * or sent. Each call is answered a turn of the event loop later, in the order in which they were made, as over a network.
 */
export const startMemoryTable = (onCall?: MemoryCall): { stop: () => void } => {
  const table = new Table({ now: 0, after: () => undefined }, { lag: () => 0, lock: () => 0 });
  const written: Item[] = [];
  table.onCommit = ({ after }) => {
    if (after) written.push(after);
  };
  let token = 0;
  const perform = ({ constructor: { name }, input }: Command, answer: (given: Answer) => void): void => {
    checkRequest(tableName, name, input);
    token += 1;
    table.perform(name, input, token, (given) => {
      if ('value' in given) onCall?.(name, input, given.value as object);
      answer(given);
    });
  };
  const handler = (command: Command): Promise<{ output: unknown }> =>
    new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          perform(command, (given) => ('error' in given ? reject(given.error) : resolve({ output: given.value })));
        } catch (error) {
          reject(error);
        }
      });
    });
  const replaced = commands.map(({ prototype }) => [prototype, prototype.resolveMiddleware] as const);
  for (const [prototype] of replaced) Object.assign(prototype, { resolveMiddleware: () => handler });
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = nowhere;
  return {
    stop: () => {
      for (const [prototype, resolveMiddleware] of replaced) Object.assign(prototype, { resolveMiddleware });
      for (const row of written) watch('the rows of the table', JSON.stringify(marshall(row)));
      expectNoLeaks();
    },
  };
};

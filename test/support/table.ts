import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { indexStream } from '#lib/local/aws/emulator-file.ts';
import { startMemoryTable } from './memory-table.ts';
import { expectNoLeaks, watchFolder } from './secret-leak-scan.ts';
import { testTable } from './test-table.ts';

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

const binary = () =>
  join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');

/** Starts an empty table of the real shape in a DynamoDB emulator of its own. */
export const startTable = async (): Promise<{ client: DynamoDBClient; stop: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-table-'));
  const port = await freePort();
  const emulator = spawn(binary(), ['serve', '--port', String(port), '--db-path', join(folder, 'table.sqlite')], {
    stdio: 'ignore',
  });
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ maxAttempts: 1 });
  for (let attempt = 0; ; attempt += 1) {
    try {
      await client.send(new ListTablesCommand({}));
      break;
    } catch (error) {
      if (attempt > 400) throw error;
      await wait(10);
    }
  }
  await client.send(new CreateTableCommand(testTable));
  indexStream(join(folder, 'table.sqlite'));
  return {
    client,
    stop: () => {
      client.destroy();
      emulator.kill('SIGKILL');
      watchFolder(folder);
      rmSync(folder, { recursive: true, force: true });
      expectNoLeaks();
    },
  };
};

/**
 * Gives a test file a table of its own; to be called at its top level. It is in memory, at a fifth of the CPU, and held against
 * the emulator by `test/simulation/dynamo.test.ts`. `FOREWARN_TEST_TABLE=emulator` has every file use an emulator.
 */
export const useTable = (): void =>
  use(process.env['FOREWARN_TEST_TABLE'] === 'emulator' ? startTable : async () => startMemoryTable());

/** The same in an emulator, for tests of DynamoDB itself, of what calls take, and of programs that are started. */
export const useEmulator = (): void => use(startTable);

const use = (start: () => Promise<{ stop: () => void }>): void => {
  let table: { stop: () => void };
  beforeAll(async () => {
    table = await start();
  });
  afterAll(() => table.stop());
};

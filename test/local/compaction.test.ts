import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compact } from '#lib/local/aws/emulator-file.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { startTiny } from './tiny-stack.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forewarn-compaction-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unreported = (sentence: string) => expect.unreachable(sentence);

/** A file of this many rows of 9 KB, of which every second is gone again. */
const makeFile = (rows: number): string => {
  const file = join(folder, `${rows}.sqlite`);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (n INTEGER PRIMARY KEY, text TEXT)');
  database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
         INSERT INTO kept SELECT n, printf('%09000d', n) FROM numbers`,
    )
    .run(rows);
  database.exec('DELETE FROM kept WHERE n % 2 = 0');
  database.close();
  return file;
};

const read = (file: string): { kept: unknown; pages: number; whole: unknown } => {
  const database = new DatabaseSync(file);
  const one = (statement: string) => Object.values(database.prepare(statement).get() ?? {})[0];
  const all = {
    kept: one('SELECT count(*) || sum(n) || sum(text) FROM kept'),
    pages: Number(one('PRAGMA page_count')),
  };
  const whole = one('PRAGMA integrity_check');
  database.close();
  return { ...all, whole };
};

const write = async ({ tables }: LocalStack, numbers: readonly number[]): Promise<void> => {
  const putOf = (n: number) => ({
    PutRequest: { Item: { pk: { S: `P${n}` }, sk: { S: 'X' }, text: { S: `${n}`.padEnd(100_000, '.') } } },
  });
  for (let start = 0; start < numbers.length; start += 25) {
    const RequestItems = { tiny: numbers.slice(start, start + 25).map(putOf) };
    await tables.client.send(new BatchWriteItemCommand({ RequestItems }));
  }
};
const remove = async ({ tables }: LocalStack, numbers: readonly number[]): Promise<void> => {
  const deletionOf = (n: number) => ({ DeleteRequest: { Key: { pk: { S: `P${n}` }, sk: { S: 'X' } } } });
  for (let start = 0; start < numbers.length; start += 25) {
    const RequestItems = { tiny: numbers.slice(start, start + 25).map(deletionOf) };
    await tables.client.send(new BatchWriteItemCommand({ RequestItems }));
  }
};
const keysIn = async ({ tables }: LocalStack): Promise<string[]> => {
  const keys: string[] = [];
  let ExclusiveStartKey: Record<string, { S: string }> | undefined;
  do {
    const input = { TableName: 'tiny', ProjectionExpression: 'pk, sk', ExclusiveStartKey };
    const { Items = [], LastEvaluatedKey } = await tables.client.send(new ScanCommand(input));
    keys.push(...Items.map(({ pk }) => String(pk?.S)));
    ExclusiveStartKey = LastEvaluatedKey as typeof ExclusiveStartKey;
  } while (ExclusiveStartKey);
  return keys.sort();
};

it('a stack that stops gives back what its rows no longer take, and goes on with all of them', async () => {
  await using tiny = await startTiny({ router: 'exports.handler = async () => null;' });
  const numbers = Array.from({ length: 150 }, (_, n) => n);
  const file = join(tiny.dataFolder, 'table.sqlite');
  await write(tiny.stack, numbers);
  await remove(tiny.stack, numbers.slice(50));
  tiny.stack.tables.forgetStream('tiny', Number.MAX_SAFE_INTEGER);
  await tiny.stack.stop();
  expect(statSync(file).size).toBeLessThan(6_000_000);
  await tiny.restart();
  expect(await keysIn(tiny.stack)).toEqual(
    numbers
      .slice(0, 50)
      .map((n) => `P${n}`)
      .sort(),
  );
  await write(tiny.stack, numbers.slice(50, 75));
  expect(await keysIn(tiny.stack)).toHaveLength(75);
});

it('a file that has barely changed since, and a small one, are left as they are', () => {
  const file = makeFile(2000);
  const before = read(file);
  compact(file, unreported);
  const after = read(file);
  expect(after).toEqual({ kept: before.kept, pages: expect.any(Number), whole: 'ok' });
  expect(after.pages).toBeLessThan(before.pages * 0.6);
  const database = new DatabaseSync(file);
  database.exec('DELETE FROM kept WHERE n < 100');
  database.close();
  compact(file, unreported);
  expect(read(file).pages).toBe(after.pages);
  const small = makeFile(300);
  const { pages } = read(small);
  compact(small, unreported);
  expect(read(small).pages).toBe(pages);
});

it('a file to which another program writes is left as it is, in a sentence', () => {
  const file = makeFile(2000);
  const before = read(file);
  const writer = new DatabaseSync(file);
  writer.exec('BEGIN IMMEDIATE');
  const sentences: string[] = [];
  compact(file, (sentence) => sentences.push(sentence));
  writer.close();
  expect(sentences).toEqual([
    `${file} was not made smaller (database is locked). Nothing is lost, and the next stop tries again.`,
  ]);
  expect(read(file)).toEqual(before);
});

it('a file that is gone with its folder is not recreated; a file that is no database is reported', () => {
  const gone = join(folder, 'gone', 'table.sqlite');
  compact(gone, unreported);
  expect(existsSync(gone)).toBe(false);
  const sentences: string[] = [];
  compact(folder, (sentence) => sentences.push(sentence));
  expect(sentences).toEqual([
    `${folder} was not made smaller (unable to open database file). Nothing is lost, and the next stop tries again.`,
  ]);
});

/** Compacts a file in a process of its own, and kills that as soon as it writes. */
const killWhileWriting = async (file: string): Promise<void> => {
  const script = `import { compact } from './lib/local/aws/emulator-file.ts'; compact(${JSON.stringify(file)}, console.error);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const ended = once(child, 'exit');
  const written = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  while (written() < 1_000_000 && child.exitCode === null) await turn();
  child.kill('SIGKILL');
  await ended;
};

it('a stack that is killed meanwhile has lost nothing', async () => {
  // A busy machine may let it finish first, and then the kill was too late to show anything.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const file = makeFile(6000 + attempt);
    const before = read(file);
    await killWhileWriting(file);
    const { size } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
    const after = read(file);
    expect(after).toMatchObject({ kept: before.kept, whole: 'ok' });
    if (after.pages < before.pages || size === 0) continue;
    compact(file, unreported);
    expect(read(file)).toMatchObject({ kept: before.kept, whole: 'ok' });
    expect(read(file).pages).toBeLessThan(before.pages * 0.6);
    return;
  }
  expect.unreachable('The process was never killed in the middle.');
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Change, openStream, type StreamPage } from '#lib/local/events/stream-reader.ts';
import { startStreamSource } from '#lib/local/events/stream-source.ts';
import type { Invocation } from '#lib/local/functions/function-runner.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { startTiny, type TinyStack } from './tiny-stack.ts';

let tiny: TinyStack | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await tiny?.[Symbol.asyncDispose]();
  tiny = undefined;
});

const router = 'exports.handler = async () => null;';
const put = (stack: LocalStack, pk: string, entity = 'ALERT', note = '') =>
  stack.tables.client.send(
    new PutItemCommand({
      TableName: 'tiny',
      Item: { pk: { S: pk }, sk: { S: 'X' }, entity: { S: entity }, note: { S: note } },
    }),
  );
const open = (stack: LocalStack) => stack.tables.openStream('tiny');
const keysIn = (page: StreamPage | undefined) => page?.changes.map(({ dynamodb }) => dynamodb['Keys']);
const makeKey = (pk: string) => ({ pk: { S: pk }, sk: { S: 'X' } });

describe('a stream', () => {
  it('is asked again if the connection broke off', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else response.end(JSON.stringify({ StreamDescription: { Shards: [{ ShardId: 'only' }] } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    expect(await openStream({ url, arn: 'arn', version: () => undefined })).toMatchObject({ shardId: 'only' });
    expect(asked).toBe(2);
    server.closeAllConnections();
    server.close();
  });

  it('is asked once for what two read, and not at all while nothing is written', async () => {
    tiny = await startTiny({ worker: router });
    const { stack } = tiny;
    const stream = await open(stack);
    const fetched = vi.spyOn(globalThis, 'fetch');
    const readings = () =>
      fetched.mock.calls.filter(([, init]) => new Headers(init?.headers).get('x-amz-target')?.endsWith('.GetRecords'))
        .length;
    for (const pk of ['a', 'b', 'b']) await put(stack, pk);
    const [first, second] = await Promise.all([stream.after(undefined), stream.after(undefined)]);
    const third = await stream.after(undefined);
    expect(keysIn(first)).toEqual([makeKey('a'), makeKey('b')]);
    // The very same objects: nothing is parsed again.
    expect([second, third]).toEqual([first, first]);
    expect(second?.changes === first?.changes && third?.changes === first?.changes).toBe(true);
    expect(await stream.after(first?.end)).toBeUndefined();
    expect(readings()).toBe(1);
    await put(stack, 'c');
    expect(keysIn(await stream.after(first?.end))).toEqual([makeKey('c')]);
    expect(readings()).toBe(2);
  });

  it('has no record of a table that was cleared', async () => {
    tiny = await startTiny({ worker: router });
    const { stack } = tiny;
    for (const pk of ['a', 'b', 'c']) await put(stack, pk);
    await stack.tables.clear();
    expect(keysIn(await (await open(stack)).after(undefined)) ?? []).toEqual([]);
    await put(stack, 'd');
    expect(keysIn(await (await open(stack)).after(undefined))).toEqual([makeKey('d')]);
  });

  it('goes on behind the records that are deleted once every function has read them', async () => {
    tiny = await startTiny({ router });
    const { stack, dataFolder } = tiny;
    const keysKept = () => {
      const file = new DatabaseSync(join(dataFolder, 'table.sqlite'), { readOnly: true });
      const rows = file.prepare('SELECT keys_json, sequence_number FROM _stream_records ORDER BY id').all();
      file.close();
      return rows.map(({ keys_json, sequence_number }) => ({
        pk: JSON.parse(String(keys_json)).pk.S,
        number: String(sequence_number),
      }));
    };
    for (const pk of ['a', 'b', 'c']) await put(stack, pk);
    expect(keysKept().map(({ pk }) => pk)).toEqual(['a', 'b', 'c']);
    stack.tables.forgetStream('tiny', Number(keysKept().at(-1)?.number));
    expect(keysKept().map(({ pk }) => pk)).toEqual(['c']);
    const again = await tiny.restart();
    const events: unknown[] = [];
    again.runner.ends.on('end', ({ event }) => events.push(event));
    await put(again, 'd');
    await again.time.untilIdle();
    expect(events).toMatchObject([{ Records: [{ dynamodb: { Keys: makeKey('d') } }] }]);
  });
});

const nthChange = (number: number): Change => ({
  eventID: String(number),
  eventName: 'INSERT',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'eu-west-1',
  eventSourceARN: 'arn',
  dynamodb: {
    SequenceNumber: String(number),
    ApproximateCreationDateTime: 0,
    NewImage: { entity: { S: number % 2 === 0 ? 'EVEN' : 'ODD' } },
  },
});
const definition = {
  ...{ name: 'f', arn: 'f', folder: '', handler: 'index.handler' },
  ...{ timeoutSeconds: 1, memoryMegabytes: 128, environment: {} },
};

it('fills batches with what the function wants, and saves how far it is done', async () => {
  const numbers = (from: number) => Array.from({ length: 10 }, (_, n) => from + n);
  const pageOf = (from: number): StreamPage => ({
    ...{ changes: numbers(from).map(nthChange), end: String(from + 9) },
    ...{ upTo: Date.now(), isFull: true },
  });
  const pages = new Map([
    [undefined, pageOf(1)],
    ['10', pageOf(11)],
  ]);
  const batches: string[][] = [];
  const saved: string[] = [];
  const invoke = async (_: unknown, event: unknown): Promise<Invocation> => {
    const { Records } = event as { Records: Change[] };
    batches.push(Records.map(({ eventID }) => eventID));
    return { function: definition, event, result: null, error: undefined, milliseconds: 0, logs: [] };
  };
  const source = startStreamSource(
    {
      ...{ id: 'mapping', tableName: 'tiny', function: definition, batchSize: 4, bisects: true },
      ...{ reportsFailures: true, maximumRetryAttempts: 1, onFailure: undefined },
      filters: [{ dynamodb: { NewImage: { entity: { S: ['EVEN'] } } } }],
    },
    {
      stream: { arn: 'arn', shardId: 'shard', after: async (position) => pages.get(position) },
      runner: { invoke },
      clock: { now: Date.now },
      save: (sequenceNumber) => void saved.push(sequenceNumber),
      readPlace: () => saved.at(-1),
      report: (sentence) => expect.unreachable(sentence),
    },
  );
  await source.catchUp();
  await source.stop();
  expect(batches).toEqual([
    ['2', '4', '6', '8'],
    ['10', '12', '14', '16'],
    ['18', '20'],
  ]);
  expect(saved).toEqual(['8', '16', '20']);
});

it('comes to rest where a reading takes longer than it waits between two', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval'] });
  let readings = 0;
  const source = startStreamSource(
    {
      ...{ id: 'mapping', tableName: 'tiny', function: definition, batchSize: 4, bisects: true, filters: [] },
      ...{ reportsFailures: true, maximumRetryAttempts: undefined, onFailure: undefined },
    },
    {
      stream: {
        ...{ arn: 'arn', shardId: 'shard' },
        after: async () => {
          readings += 1;
          await new Promise((resolve) => setTimeout(resolve, 300));
          return undefined;
        },
      },
      runner: { invoke: async () => expect.unreachable() },
      clock: { now: Date.now },
      save: () => undefined,
      readPlace: () => undefined,
      report: (sentence) => expect.unreachable(sentence),
    },
  );
  let isAtRest = false;
  source.catchUp().then(() => {
    isAtRest = true;
  });
  await vi.advanceTimersByTimeAsync(450);
  expect([isAtRest, readings]).toEqual([true, 1]);
  // It goes on reading by itself.
  await vi.advanceTimersByTimeAsync(500);
  expect(readings).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(500);
  const stopped = source.stop();
  await vi.advanceTimersByTimeAsync(500);
  await stopped;
});

it('tells how old the change is that the function is at, but not of one that keeps failing', async () => {
  const written = { ...nthChange(2).dynamodb, ApproximateCreationDateTime: 1000 };
  const page = { changes: [{ ...nthChange(2), dynamodb: written }], end: '2', upTo: Date.now(), isFull: false };
  const outcomes = [new Error('broken'), undefined];
  const seen: (number | undefined)[] = [];
  let saved: string | undefined;
  const source = startStreamSource(
    {
      ...{ id: 'mapping', tableName: 'tiny', function: definition, batchSize: 4, bisects: true, filters: [] },
      ...{ reportsFailures: true, maximumRetryAttempts: undefined, onFailure: undefined },
    },
    {
      stream: { arn: 'arn', shardId: 'shard', after: async (position) => (position ? undefined : page) },
      runner: {
        invoke: async (_, event) => {
          seen.push(source.oldest());
          return { function: definition, event, result: null, error: outcomes.shift(), milliseconds: 0, logs: [] };
        },
      },
      clock: { now: Date.now },
      save: (sequenceNumber) => {
        saved = sequenceNumber;
      },
      readPlace: () => saved,
      report: (sentence) => expect.unreachable(sentence),
    },
  );
  await source.catchUp();
  await source.stop();
  expect(seen).toEqual([1_000_000, undefined]);
  expect(source.oldest()).toBeUndefined();
});

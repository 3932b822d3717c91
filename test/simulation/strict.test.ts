import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { Faults } from './world/faults.ts';
import { Lambda } from './world/lambda.ts';
import { PartitionMeter, toCharges } from './world/partition-meter.ts';
import { Queues } from './world/queues.ts';
import { Stream } from './world/stream.ts';
import { Timeline } from './world/timeline.ts';
import { World } from './world/world.ts';

/** Limits of DynamoDB and its streams that the world of a history keeps. Each limit names its source where it is simulated. */

const noon = Date.UTC(2026, 4, 4, 12);
const hour = 3_600_000;

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
const done: DynamoDBBatchResponse = { batchItemFailures: [] };
const sequencesIn = ({ Records }: DynamoDBStreamEvent): number[] =>
  Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));

/** The queues and streams that call functions, with the faults in `struck` only. */
const startMeans = (struck: readonly string[] = []) => {
  const timeline = new Timeline(noon);
  const faults = new Faults({ 'shard split': 1 }, new Set(struck));
  const note = () => undefined;
  const lambda = new Lambda({ seed: 1, timeline, faults, maxSkew: 0, onError: note, note });
  return { seed: 1, timeline, faults, lambda, note };
};

/** A stream with one consumer. `splits`: the sequence numbers of the records before which a shard is split. */
const startStream = (handler: Handler, splits: readonly number[] = []) => {
  const means = startMeans(splits.map((one) => `shard split @ record ${one}`));
  const stream = new Stream(means);
  stream.feed({
    ...{ name: 'reader', handler, timeoutSeconds: 60, batchSize: 1, entities: ['ROW'], filters: [{}] },
    isNeverGivenUp: true,
  });
  const write = (sequence: number, pk = 'ROW#1') =>
    stream.write({ sequence, pk, sk: 'ROW', entity: 'ROW', before: undefined, after: { pk, sk: 'ROW' } });
  return { stream, timeline: means.timeline, write };
};

describe('a stream', () => {
  it('gives no record of a child shard to a reader before the parent is read to its end', async () => {
    const seen: number[] = [];
    let failures = 3;
    const { timeline, write } = startStream(
      async (event) => {
        failures -= 1;
        if (failures >= 0) throw new Error('Not now');
        seen.push(...sequencesIn(event));
        return done;
      },
      [2, 4],
    );
    for (let sequence = 1; sequence <= 5; sequence += 1) write(sequence);
    await timeline.runUntil(noon + hour);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads the children of a shard in which nothing was written', async () => {
    const seen: number[] = [];
    const { timeline, write } = startStream(
      async (event) => {
        seen.push(...sequencesIn(event));
        return done;
      },
      [1],
    );
    write(1);
    await timeline.runUntil(noon + hour);
    expect(seen).toEqual([1]);
  });

  it('loses records that were not read within a day', async () => {
    const seen: number[] = [];
    const { stream, timeline, write } = startStream(async (event) => {
      if (timeline.now < noon + 25 * hour) throw new Error('Not now');
      seen.push(...sequencesIn(event));
      return done;
    });
    write(1);
    await timeline.runUntil(noon + 20 * hour);
    write(2);
    await timeline.runUntil(noon + 30 * hour);
    expect(seen).toEqual([2]);
    expect(stream.lost).toBe(1);
  });
});

it.each<[string, unknown, number]>([
  [
    'again if it reports a message that was not in its batch',
    { batchItemFailures: [{ itemIdentifier: 'another' }] },
    2,
  ],
  ['once if it returns nothing', null, 1],
])("invokes a queue's function %s", async (_, answer, calls) => {
  const means = startMeans();
  const queues = new Queues(means);
  const handler = vi.fn(async () => done).mockResolvedValueOnce(answer as DynamoDBBatchResponse);
  queues.feed('work', { ...{ name: 'work', handler, timeoutSeconds: 60 }, batchSize: 1, maximumConcurrency: 1 });
  queues.send('work', '{}');
  await means.timeline.runUntil(noon + hour);
  expect(handler).toHaveBeenCalledTimes(calls);
});

describe('a partition', () => {
  it('takes 1,000 write units and 3,000 read units a second, and no more', () => {
    for (const [kind, limit] of [
      ['write', 1000],
      ['read', 3000],
    ] as const) {
      const meter = new PartitionMeter();
      const one = [[{ kind, pk: 'ROW#1', units: limit / 4 }]];
      expect([1, 2, 3, 4, 5].map(() => meter.take(one, noon)[0])).toEqual([false, false, false, false, true]);
      expect(meter.take([[{ kind, pk: 'ROW#2', units: 1 }]], noon)).toEqual([false]);
      expect(meter.take(one, noon + 1000)).toEqual([false]);
    }
  });

  it('takes nothing of a transaction that is too much for it, of which each write counts twice', () => {
    const meter = new PartitionMeter({ write: 5, read: 5 });
    const input = { TransactItems: ['a', 'a', 'b'].map((pk) => ({ Put: { Item: { pk, sk: 'row' } } })) };
    const charges = toCharges('TransactWriteCommand', input);
    expect(meter.take(charges, noon)).toEqual([false, false, false]);
    expect(meter.take(charges, noon)).toEqual([true, true, false]);
    expect(meter.take(toCharges('PutCommand', { Item: { pk: 'b', sk: 'row' } }), noon)).toEqual([false]);
  });
});

describe('a partition of an index', () => {
  const put = (pk: string, list1Pk: string) => ({ Item: { pk, sk: 'row', list1Pk, listSk: 'x' } });

  it('holds up writes of rows in other partitions of the table', () => {
    const meter = new PartitionMeter({ write: 2, read: 2 });
    const take = (pk: string, place: string) => meter.take(toCharges('PutCommand', put(pk, place)), noon);
    expect(['a', 'b', 'c'].map((pk) => take(pk, 'LIST#1'))).toEqual([[false], [false], [true]]);
    expect(take('c', 'LIST#2')).toEqual([false]);
  });

  it('is written where a row was and where it goes', () => {
    const rowOf = () => ({ list1Pk: 'LIST#1' });
    const placesOf = (name: string, input: Record<string, unknown>) =>
      toCharges(name, input, rowOf).map((part) => part.slice(1).map(({ pk }) => pk));
    const Key = { pk: 'a', sk: 'row' };
    expect(placesOf('PutCommand', put('a', 'LIST#2'))).toEqual([['list1Pk LIST#1', 'list1Pk LIST#2']]);
    expect(placesOf('PutCommand', put('a', 'LIST#1'))).toEqual([['list1Pk LIST#1']]);
    expect(placesOf('UpdateCommand', { Key })).toEqual([['list1Pk LIST#1']]);
    expect(placesOf('DeleteCommand', { Key })).toEqual([['list1Pk LIST#1']]);
    const TransactItems = [{ ConditionCheck: { Key } }, { Delete: { Key } }];
    expect(placesOf('TransactWriteCommand', { TransactItems })).toEqual([[], ['list1Pk LIST#1']]);
  });

  it('cancels a transaction with the item whose index takes no more', () => {
    const meter = new PartitionMeter({ write: 2, read: 2 });
    const TransactItems = ['a', 'b', 'c'].map((pk) => ({ Put: put(pk, pk === 'a' ? 'LIST#2' : 'LIST#1') }));
    expect(meter.take(toCharges('PutCommand', put('d', 'LIST#1')), noon)).toEqual([false]);
    expect(meter.take(toCharges('TransactWriteCommand', { TransactItems }), noon)).toEqual([false, false, true]);
  });
});

describe('a throttled transaction', () => {
  it('is cancelled with a reason for each item, and writes nothing', async () => {
    const world = new World({ seed: 1, secrets: {}, start: noon, rates: { 'transaction throttled': 1 } });
    const input = {
      TransactItems: ['a', 'b'].map((pk) => ({ Put: { TableName: 'table', Item: { pk, sk: 'row' } } })),
    };
    let error: unknown;
    const write = async () => {
      error = await world.call('dynamo', 'TransactWriteCommand', input).catch((reason: unknown) => reason);
    };
    world.lambda.invoke({ name: 'writer', timeoutSeconds: 60 }, write, undefined, () => undefined);
    await world.timeline.runUntil(noon + hour);
    const { name, CancellationReasons: reasons = [] } = error as { name: string; CancellationReasons?: object[] };
    expect(name).toBe('TransactionCanceledException');
    expect(reasons).toHaveLength(2);
    expect(reasons).toContainEqual({ Code: 'ThrottlingError' });
    expect(world.table.items.size).toBe(0);
  });
});

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexNames } from '#core/platform/operation/grants.ts';
import { watchAwsCalls } from '#lib/local/aws/access.ts';
import { judgeOfLimits } from '#lib/local/aws/table-limits.ts';
import { startMemoryTable } from '#test/support/memory-table.ts';
import { startTable } from '#test/support/table.ts';

/**
 * DynamoDB's limits, each with what is just within it and what exceeds it.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

const TableName = 'forewarn-test';
const Key = { pk: 'P', sk: 'S' };
const text = (bytes: number) => 'x'.repeat(bytes);
const repeat = (times: number, of: (index: number) => string, by: string) =>
  Array.from({ length: times }, (_, index) => of(index)).join(by);
const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ pk: 'T', sk: `S${index}` }));
/** A value within so many lists and maps. */
const nested = (levels: number): unknown => {
  if (levels === 0) return 'x';
  return levels % 2 === 0 ? [nested(levels - 1)] : { inner: nested(levels - 1) };
};

let client: DynamoDBDocumentClient;
type Send = () => Promise<unknown>;
const put =
  (Item: object, more: object = {}): Send =>
  () =>
    client.send(new PutCommand({ TableName, Item: { ...Key, ...Item }, ...more }));
const get =
  (given: object): Send =>
  () =>
    client.send(new GetCommand({ TableName, Key: { ...Key, ...given } }));
const update =
  (UpdateExpression: string, ExpressionAttributeValues?: object): Send =>
  () =>
    client.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression,
        ...(ExpressionAttributeValues && { ExpressionAttributeValues: { ...ExpressionAttributeValues } }),
      }),
    );
const condition = (ConditionExpression: string, ExpressionAttributeValues?: object, more: object = {}): Send =>
  put(
    {},
    {
      ConditionExpression: `attribute_not_exists(nope) OR ${ConditionExpression}`,
      ...(ExpressionAttributeValues && { ExpressionAttributeValues }),
      ...more,
    },
  );
const query =
  (KeyConditionExpression: string, values: Record<string, unknown>, more: object = {}): Send =>
  () =>
    client.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more }));
const transact =
  (TransactItems: readonly Record<string, object>[], more: object = {}): Send =>
  () => {
    const parts = TransactItems.map((part) =>
      Object.fromEntries(Object.entries(part).map(([verb, given]) => [verb, { TableName, ...given }])),
    );
    return client.send(new TransactWriteCommand({ TransactItems: parts as never, ...more }));
  };
const getAll =
  (Keys: readonly Record<string, unknown>[]): Send =>
  () =>
    client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [...Keys] } } }));
const writeAll =
  (items: readonly Record<string, unknown>[]): Send =>
  () =>
    client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }),
    );
const numbers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`:v${index}`, index]));
const inList = (count: number) => condition(`n IN (${repeat(count, (index) => `:v${index}`, ', ')})`, numbers(count));
const named = (bytes: number) =>
  condition(`attribute_exists(#${text(bytes - 1)})`, undefined, {
    ExpressionAttributeNames: { [`#${text(bytes - 1)}`]: 'n' },
  });
const six = (bytes: number) => Object.fromEntries(Array.from('abcdef', (letter) => [`:${letter}`, text(bytes)]));
const substituted = (bytes: number) => condition('n IN (:a, :b, :c, :d, :e, :f)', six(bytes));
const inMap =
  (value: unknown): Send =>
  async () => {
    await put({ nested: { x: 1 } })();
    await update('SET nested.x = :v', { ':v': value })();
  };
const eleven = (bytes: number) => keys(11).map((key) => ({ Put: { Item: { ...key, text: text(bytes) } } }));
const growing =
  (bytes: number): Send =>
  async () => {
    await put({ text: text(200 * 1024) })();
    await update('SET more = :more', { ':more': text(bytes) })();
  };

const sizesOfKeys = (of: (key: Record<string, string>) => Send): [Send, Send][] => [
  [of({ pk: text(2048) }), of({ pk: text(2049) })],
  [of({ pk: 'ü'.repeat(1024) }), of({ pk: 'ü'.repeat(1025) })],
  [of({ sk: text(1024) }), of({ sk: text(1025) })],
  [of({ pk: 'x' }), of({ pk: '' })],
  [of({ sk: 'x' }), of({ sk: '' })],
];
const indexed = (pk: unknown, sk: unknown) => ({ duePk: pk, dueSk: sk });
const byIndex = (pk: unknown, sk: unknown) =>
  query('duePk = :p AND dueSk >= :s', { ':p': pk, ':s': sk }, { IndexName: 'due' });
const setIndex = (pk: unknown, sk: unknown) => update('SET duePk = :p, dueSk = :s', { ':p': pk, ':s': sk });
const keysOfIndex = (of: (pk: unknown, sk: unknown) => Send): [Send, Send][] => [
  [of(text(2048), 'x'), of(text(2049), 'x')],
  [of('x', text(1024)), of('x', text(1025))],
  [of('x', 'x'), of('', 'x')],
  [of('x', 'x'), of('x', '')],
  [of('x', 'x'), of(1, 'x')],
  [of('x', 'x'), of('x', 1)],
];

/** A value within the limit, then one that exceeds it. */
const limits: Readonly<Record<string, readonly (readonly [within: Send, over: Send])[]>> = {
  'keys of a read': sizesOfKeys(get),
  'keys of a write': sizesOfKeys((key) => put(key)),
  'keys of a batch of reads': sizesOfKeys((key) => getAll([{ ...Key, ...key }])),
  'keys of a batch of writes': sizesOfKeys((key) => writeAll([{ ...Key, ...key }])),
  'keys of a transaction': sizesOfKeys((key) => transact([{ Delete: { Key: { ...Key, ...key } } }])),
  'keys of a query': [
    [query('pk = :p', { ':p': text(2048) }), query('pk = :p', { ':p': text(2049) })],
    [
      query('pk = :p AND sk > :s', { ':p': 'P', ':s': text(1024) }),
      query('pk = :p AND sk > :s', { ':p': 'P', ':s': text(1025) }),
    ],
    [query('pk = :p', { ':p': 'x' }), query('pk = :p', { ':p': '' })],
    [query('pk = :p', { ':p': 'x' }), query('pk = :p', { ':p': 1 })],
    [
      query('pk = :p AND begins_with(sk, :s)', { ':p': 'P', ':s': 'x' }),
      query('pk = :p AND begins_with(sk, :s)', { ':p': 'P', ':s': '' }),
    ],
    [
      query('pk = :p AND sk BETWEEN :s AND :t', { ':p': 'P', ':s': 'a', ':t': text(1024) }),
      query('pk = :p AND sk BETWEEN :s AND :t', { ':p': 'P', ':s': 'a', ':t': text(1025) }),
    ],
  ],
  'keys of an index in a write': keysOfIndex((pk, sk) => put(indexed(pk, sk))),
  'keys of an index in an update': keysOfIndex(setIndex),
  'keys of an index in a transaction': keysOfIndex((pk, sk) =>
    transact([{ Put: { Item: { ...Key, ...indexed(pk, sk) } } }]),
  ),
  'keys of an index in a query': keysOfIndex(byIndex),
  'nesting of an item, which is a level itself': [[put({ value: nested(31) }), put({ value: nested(32) })]],
  'nesting of a value': [[update('SET n = :n', { ':n': nested(31) }), update('SET n = :n', { ':n': nested(32) })]],
  'nesting that an update makes': [[inMap(nested(30)), inMap(nested(31))]],
  'sets that are not empty': [[put({ set: new Set(['']) }), put({ set: new Set() })]],
  'sets without duplicates': [[put({ set: new Set([1, 2n]) }), put({ set: new Set([1, 1n]) })]],
  'sets without null': [[put({ set: new Set(['a']) }), put({ set: new Set([null, 'a']) })]],
  'names of attributes': [
    [put({ a: 1 }), put({ '': 1 })],
    [put({ map: { [text(65_535)]: 1 } }), put({ map: { [text(65_537)]: 1 } })],
  ],
  'numbers of 1E-130 and more': [[put({ n: 1e-130 }), put({ n: 1e-131 })]],
  '100 operands of IN': [[inList(100), inList(101)]],
  '300 operators of a condition': [
    [
      condition(`NOT ${repeat(149, () => 'n=:n', ' OR ')}`, { ':n': 1 }),
      condition(
        repeat(150, () => 'n=:n', ' OR '),
        { ':n': 1 },
      ),
    ],
  ],
  '300 operators of an update': [
    [
      update(`SET ${repeat(300, (index) => `a${index}=:n+:n`, ',')}`, { ':n': 1 }),
      update(`SET ${repeat(301, (index) => `a${index}=:n+:n`, ',')}`, { ':n': 1 }),
    ],
  ],
  'placeholders of 255 bytes': [[named(255), named(256)]],
  '2 MB of placeholders and their values': [[substituted(349_000), substituted(350_000)]],
  'expressions of 4 KB': [
    [update('SET n = :n'.padEnd(4096), { ':n': 1 }), update('SET n = :n'.padEnd(4097), { ':n': 1 })],
  ],
  'items of 400 KB': [
    [put({ text: text(400 * 1024 - 100) }), put({ text: text(400 * 1024) })],
    [growing(199 * 1024), growing(200 * 1024)],
  ],
  '100 parts of a transaction': [
    [
      transact(keys(100).map((one) => ({ Delete: { Key: one } }))),
      transact(keys(101).map((one) => ({ Delete: { Key: one } }))),
    ],
    [transact([{ Delete: { Key } }]), transact([])],
  ],
  '4 MB of a transaction': [[transact(eleven(381_000)), transact(eleven(382_000))]],
  'one item at a time in a transaction': [
    [
      transact([{ Put: { Item: Key } }, { Delete: { Key: { pk: 'Q', sk: 'S' } } }]),
      transact([{ Put: { Item: Key } }, { Delete: { Key } }]),
    ],
  ],
  'one action for each part of a transaction': [
    [transact([{ Put: { Item: Key } }]), transact([{ Put: { Item: Key }, Delete: { Key: { pk: 'Q', sk: 'S' } } }])],
  ],
  'tokens of 36 characters': [
    [
      transact([{ Put: { Item: Key } }], { ClientRequestToken: text(36) }),
      transact([{ Put: { Item: Key } }], { ClientRequestToken: text(37) }),
    ],
  ],
  '100 keys of a batch of reads': [
    [getAll(keys(100)), getAll(keys(101))],
    [getAll([Key]), getAll([Key, Key])],
  ],
  '25 items of a batch of writes': [
    [writeAll(keys(25)), writeAll(keys(26))],
    [writeAll([Key]), writeAll([Key, Key])],
  ],
};

const errorName = (error: unknown): string => (error instanceof Error ? error.name : String(error));
const trySend = (send: Send): Promise<string> => send().then(() => 'done', errorName);
/** The client itself refuses sets that are empty or contain null, with an unnamed error. */
const refusal = /^(?:ValidationException|TransactionCanceledException|SerializationException|Error)$/;

const schema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
const definition = {
  TableName,
  KeySchema: schema('pk', 'sk'),
  AttributeDefinitions: [],
  GlobalSecondaryIndexes: indexNames.map((name) => ({
    IndexName: name,
    KeySchema: schema(`${name}Pk`, name === 'due' ? 'dueSk' : 'listSk'),
    Projection: { ProjectionType: 'ALL' as const },
  })),
};

const tables = {
  'the table in memory': async () => startMemoryTable(),
  'the emulator as the local stack uses it': async () => {
    const table = await startTable();
    const unwatch = watchAwsCalls(judgeOfLimits([definition]));
    return {
      stop: () => {
        unwatch();
        table.stop();
      },
    };
  },
};

describe.each(Object.entries(tables))('%s', (_, start) => {
  let table: { stop: () => void };
  beforeAll(async () => {
    table = await start();
    client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }), {
      marshallOptions: { removeUndefinedValues: true },
    });
  });
  afterAll(() => table.stop());

  it.each(Object.entries(limits))(
    'accepts what is within the limit, and refuses what exceeds it: %s',
    async (_, pairs) => {
      for (const [index, [within, over]] of pairs.entries()) {
        expect([index, await trySend(within)]).toEqual([index, 'done']);
        expect(await trySend(over), `number ${index}`).toMatch(refusal);
      }
    },
  );
});

describe('the table in memory', () => {
  it('refuses sets of several types, of which the client makes texts', async () => {
    const table = startMemoryTable();
    try {
      expect(await trySend(put({ set: new Set<unknown>(['a', 1]) }))).toBe('SerializationException');
    } finally {
      table.stop();
    }
  });
});

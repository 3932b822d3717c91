import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMemoryTable } from '#test/support/memory-table.ts';
import { useEmulator } from '#test/support/table.ts';
import { reservedWords } from './world/reserved-words.ts';

/** The replacement of an emulator refuses what the emulator refuses, and shows as much of a page. */

useEmulator();

const TableName = 'forewarn-test';
const Key = { pk: 'P', sk: 'S' };
const row = { ...Key, n: 1, tags: new Set(['a']), steps: [1, 2, 3], nested: { x: 1 } };

let client: DynamoDBDocumentClient;
const put = (Item: object) => client.send(new PutCommand({ TableName, Item: { ...Key, ...Item } }));
const connect = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
beforeAll(() => {
  client = connect();
});

const inMemory = async <T>(work: () => Promise<T>): Promise<T> => {
  const url = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const table = startMemoryTable();
  try {
    return await work();
  } finally {
    table.stop();
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = url;
  }
};

const errorName = (error: unknown): string => (error instanceof Error ? error.name : String(error));
const trySend = (send: () => Promise<unknown>): Promise<string> =>
  put(row)
    .then(send)
    .then(() => 'done', errorName);

const update = (UpdateExpression: string, values?: object, names?: Record<string, string>) => () =>
  client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression,
      ...(values && { ExpressionAttributeValues: { ...values } }),
      ...(names && { ExpressionAttributeNames: names }),
    }),
  );
const query =
  (KeyConditionExpression: string, values: Record<string, unknown>, more: object = {}) =>
  () =>
    client.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more }));
const condition = (ConditionExpression: string) => () =>
  client.send(new PutCommand({ TableName, Item: row, ConditionExpression }));
const one = { ':a': 1 };
const writeAll = (...requests: { PutRequest?: { Item: object }; DeleteRequest?: { Key: object } }[]) =>
  client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests as never } }));
const transact = (...TransactItems: Record<string, object>[]) =>
  client.send(
    new TransactWriteCommand({
      TransactItems: TransactItems.map((part) =>
        Object.fromEntries(Object.entries(part).map(([verb, given]) => [verb, { TableName, ...given }])),
      ) as never,
    }),
  );
const text = (n: number) => 'x'.repeat(n);
const textUpdate = (key: object, n: number) => ({
  Update: { Key: key, UpdateExpression: 'SET q = :q', ExpressionAttributeValues: { ':q': text(n) } },
});
const eleven = (pk: string) => Array.from({ length: 11 }, (_, n) => ({ pk, sk: `S${n}` }));
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ PutRequest: { Item: { pk: 'P', sk: `S${n}` } } }));

const requests: readonly [string, () => Promise<unknown>][] = [
  ['a value too many', update('SET a = :a', { ...one, ':b': 2 })],
  ['a name too many', update('SET #a = :a', one, { '#a': 'a', '#b': 'b' })],
  ['a name that is not given', update('SET #a = :a', one)],
  ['a value that is not given', update('SET a = :z', one)],
  ['no values', update('REMOVE a', {})],
  ['no names', update('REMOVE a', undefined, {})],
  ['only a value that is undefined', update('SET a = :a', { ':a': undefined })],
  ['a reserved word', update('SET state = :a', one)],
  ['a reserved word within a map', update('SET nested.state = :a', one)],
  ['a reserved word by another name', update('SET #s = :a', one, { '#s': 'state' })],
  ['a reserved word in a condition', condition('attribute_not_exists(pk) OR attribute_exists(ttl)')],
  ['a function like a reserved word', condition('size(steps) = n OR attribute_exists(pk)')],
  ['nothing to do', update('')],
  ['the same path twice', update('SET a = :a REMOVE a', one)],
  ['a path and what it is in', update('SET nested.x = :a, nested = :a', one)],
  ['a path by two names', update('SET #a = :a, a = :a', one, { '#a': 'a' })],
  ['two entries of a list', update('REMOVE steps[0], steps[1]')],
  ['two attributes that begin alike', update('SET nestedly = :a, nested = :a', one)],
  ['a section twice', update('SET a = :a SET b = :a', one)],
  ['functions within functions', update('SET a = if_not_exists(b, :a), c = if_not_exists(c, :a) + :a', one)],
  ['an expression of 4 KB', update('SET a = :a'.padEnd(4096), one)],
  ['an expression over 4 KB', update('SET a = :a'.padEnd(4097), one)],
  ['a condition of 4 KB', condition('attribute_exists(pk)'.padEnd(4096))],
  ['a condition over 4 KB', condition('attribute_exists(pk)'.padEnd(4097))],
  ['a condition of keys over 4 KB', query('pk = :p'.padEnd(4097), { ':p': 'P' })],
  ['a key', update('SET pk = :a', { ':a': 'x' })],
  ['a number to a set', update('ADD tags :a', one)],
  ['a set to a number', update('ADD n :a', { ':a': new Set(['a']) })],
  ['a set of another type', update('ADD tags :a', { ':a': new Set([1]) })],
  ['a set of another type, to take away', update('DELETE tags :a', { ':a': new Set([1]) })],
  ['a set, to take away from a number', update('DELETE n :a', { ':a': new Set(['a']) })],
  ['a text to add', update('ADD q :a', { ':a': 'x' })],
  ['a list after nothing', update('SET steps = list_append(nope, :a)', { ':a': [4] })],
  ['a number after a list', update('SET steps = list_append(steps, :a)', { ':a': 4 })],
  ['a list after a list', update('SET steps = list_append(steps, :a)', { ':a': [4] })],
  ['a number that is too large', () => put({ x: 2 ** 60 })],
  ['what is no number', () => put({ x: Number.NaN })],
  ['an empty set', () => put({ x: new Set() })],
  ['a date', () => put({ x: new Date(0) })],
  ['a large item of wide letters', () => put({ x: 'ü'.repeat(210 * 1024) })],
  ['an item that is just small enough', () => put({ x: 'x'.repeat(400 * 1024 - 100) })],
  ['another table', () => client.send(new GetCommand({ TableName: 'other', Key }))],
  ['half a key', () => client.send(new GetCommand({ TableName, Key: { pk: 'P' } }))],
  ['more than a key', () => client.send(new GetCommand({ TableName, Key: row }))],
  ['a key that is a number', () => client.send(new GetCommand({ TableName, Key: { ...Key, sk: 5 } }))],
  ['a batch of nothing', () => client.send(new BatchGetCommand({ RequestItems: {} }))],
  ['a batch of no keys', () => client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [] } } }))],
  ['a batch that writes nothing', () => writeAll()],
  ['a batch that writes to no table', () => client.send(new BatchWriteCommand({ RequestItems: {} }))],
  ['a batch that writes a row twice', () => writeAll({ PutRequest: { Item: row } }, { DeleteRequest: { Key } })],
  ['a batch of 25', () => writeAll(...rows(25))],
  ['a batch of 26', () => writeAll(...rows(26))],
  ['a batch with a key that is none', () => writeAll({ DeleteRequest: { Key: { pk: 'P' } } })],
  ['a batch with a place that is none', () => writeAll({ PutRequest: { Item: { ...row, duePk: 1, dueSk: 'x' } } })],
  ['an empty transaction', () => client.send(new TransactWriteCommand({ TransactItems: [] }))],
  ['an item too large for a row, in a transaction', () => transact({ Put: { Item: { ...Key, x: text(410_000) } } })],
  ['a row that grows too large, in a transaction', () => transact(textUpdate(Key, 410_000))],
  ['items of 4 MB', () => transact(...eleven('T').map((key) => ({ Put: { Item: { ...key, x: text(381_000) } } })))],
  ['items over 4 MB', () => transact(...eleven('T').map((key) => ({ Put: { Item: { ...key, x: text(382_000) } } })))],
  ['updates of 4 MB', () => transact(...eleven('U').map((key) => textUpdate(key, 381_000)))],
  ['updates over 4 MB', () => transact(...eleven('U').map((key) => textUpdate(key, 382_000)))],
  ['no limit', query('pk = :p', { ':p': 'P' }, { Limit: 0 })],
  ['a value too many, of a query', query('pk = :p', { ':p': 'P', ':q': 1 })],
  ['a range of partitions', query('pk > :p', { ':p': 'P' })],
  ['no partition', query('sk = :p', { ':p': 'S' })],
  ['something that is no key', query('pk = :p AND n = :p', { ':p': 'P' })],
  ['two conditions of the sort key', query('pk = :p AND sk > :p AND sk < :p', { ':p': 'P' })],
  ['one or the other', query('pk = :p AND sk > :p OR sk < :p', { ':p': 'P' })],
  ['a range the wrong way round', query('pk = :p AND sk BETWEEN :p AND :a', { ':p': 'P', ':a': 'A' })],
  ['what the sort key contains', query('pk = :p AND contains(sk, :p)', { ':p': 'P' })],
  ['what the sort key is not', query('pk = :p AND sk <> :p', { ':p': 'P' })],
  ['what the sort key begins with', query('pk = :p AND begins_with(sk, :p)', { ':p': 'P' })],
  ['an index that is not there', query('pk = :p', { ':p': 'P' }, { IndexName: 'nope' })],
  ['half a start', query('list1Pk = :p', { ':p': 'X' }, { IndexName: 'list1', ExclusiveStartKey: Key })],
  ['to count and to show', query('pk = :p', { ':p': 'P' }, { Select: 'COUNT', ProjectionExpression: 'n' })],
];

describe('a request that is not well formed', () => {
  it.each(requests)('is refused as the emulator refuses it, or done as there: %s', async (_, send) => {
    const expected = await trySend(send);
    expect(await inMemory(() => trySend(send))).toBe(expected);
  });

  it('is refused as a part of a transaction, too', async () => {
    const parts = [
      { Update: { Key, UpdateExpression: 'SET state = :a', ExpressionAttributeValues: one } },
      { Update: { Key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ...one, ':b': 1 } } },
      { Delete: { Key: { pk: 'P' } } },
      { Put: { Item: { ...Key, x: 'x'.repeat(500_000) } } },
      { Put: { Item: { ...Key, duePk: 1 } } },
      { Update: { Key, UpdateExpression: 'SET a = :a'.padEnd(4097), ExpressionAttributeValues: one } },
    ];
    const refused = () => Promise.all(parts.map((part) => trySend(() => transact(part))));
    for (const names of [await refused(), await inMemory(refused)]) {
      for (const name of names) expect(name).toMatch(/^(?:ValidationException|TransactionCanceledException)$/);
    }
  });

  it('knows the words that are reserved, but for the operators, which are refused anyway', async () => {
    const some = [...reservedWords].filter((word, index) => index % 10 === 0 || word.length > 12);
    const operators = new Set(['add', 'and', 'between', 'delete', 'in', 'not', 'or', 'remove', 'set']);
    for (const word of some.filter((word) => !operators.has(word))) {
      await expect(query('pk = :p', { ':p': 'P' }, { ProjectionExpression: word })(), word).rejects.toThrow('reserved');
    }
  });

  it('says so where the table in memory does not know what the emulator does', async () => {
    const filtered = query('pk = :p', { ':p': 'P', ':n': 1 }, { FilterExpression: 'n = :n' });
    await expect(inMemory(filtered)).rejects.toThrow('knows no FilterExpression of Query');
  });
});

type Page = {
  Items?: object[] | undefined;
  Count?: number | undefined;
  LastEvaluatedKey?: Record<string, unknown> | undefined;
};

describe('a page', () => {
  const sizes = [10, 300_000, 300_000, 380_000, 40_000, 28_000, 600, 300_000, 300_000, 300_000];
  const fill = async () => {
    for (const [index, size] of sizes.entries()) {
      const summary = { text: 'ä'.repeat(size / 4), more: 'y'.repeat(size / 4) };
      const Item = { pk: 'Q', sk: `S${index}`, text: 'x'.repeat(size / 4), listSk: `L${index}`, list1Pk: 'X', summary };
      await client.send(new PutCommand({ TableName, Item }));
    }
  };
  const pagesOf = async (input: object): Promise<unknown[]> => {
    const pages: unknown[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const given = { TableName, ...input, ...(ExclusiveStartKey && { ExclusiveStartKey }) };
      const page: Page = await client.send(
        'KeyConditionExpression' in input ? new QueryCommand(given) : new ScanCommand(given),
      );
      ExclusiveStartKey = page.LastEvaluatedKey;
      pages.push({ items: page.Items?.map((item) => Object.keys(item).sort()), count: page.Count, ExclusiveStartKey });
    } while (ExclusiveStartKey);
    return pages;
  };
  const ofTable = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'Q' } };
  const ofIndex = {
    IndexName: 'list1',
    KeyConditionExpression: 'list1Pk = :p',
    ExpressionAttributeValues: { ':p': 'X' },
  };

  const inputs = [
    ofTable,
    { ...ofTable, ScanIndexForward: false },
    { ...ofTable, ProjectionExpression: 'sk, summary' },
    { ...ofTable, Limit: 7 },
    { ...ofTable, Select: 'COUNT' },
    ofIndex,
    { ...ofIndex, ProjectionExpression: 'listSk' },
    { ...ofIndex, Select: 'COUNT' },
  ];

  it('shows as much as the emulator shows', async () => {
    const pages = async () => {
      await fill();
      return Promise.all(inputs.map(pagesOf));
    };
    const expected = await pages();
    for (const ofOne of expected) expect(ofOne.length).toBeGreaterThan(1);
    expect(await inMemory(pages)).toEqual(expected);
  });

  it('of all rows shows each once', async () => {
    const counts = async () => {
      await fill();
      const pages = (await pagesOf({})) as { count: number }[];
      return [pages.length > 1, pages.reduce((sum, { count }) => sum + count, 0)];
    };
    expect(await inMemory(counts)).toEqual([true, sizes.length]);
  });
});

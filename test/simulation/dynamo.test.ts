import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { useEmulator } from '#test/support/table.ts';
import { type Answer, Table } from './world/dynamo.ts';
import { ValidationException } from './world/expressions.ts';
import { type Random, randomOf } from './world/random.ts';

/** The table in memory is held against the emulator: the same random calls have to get the same answers from both. */

useEmulator();

let client: DynamoDBDocumentClient;
beforeAll(() => {
  client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
});

const commands = {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} as const;
type Name = keyof typeof commands;
type Call = { name: Name; input: Record<string, unknown> };

const TableName = 'forewarn-test';
const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';

/** A world with one item of four keys at a time, so that calls meet. */
const keyOf = (random: Random) => ({ pk: `P${random.int(2)}`, sk: `S${random.int(3)}` });

const itemOf = (random: Random): Record<string, unknown> => ({
  ...keyOf(random),
  entity: random.pick(['ALERT', 'DELIVERY', undefined]),
  version: random.int(3),
  state: random.pick(['PENDING', 'DONE']),
  lease: random.pick([undefined, { until: `2026-0${1 + random.int(3)}`, attemptId: 'x' }]),
  nested: { entries: [1, 'two', { three: null }], flag: random.chance(0.5) },
  tags: random.pick([undefined, new Set(['a', 'b']), new Set(['c'])]),
  ...(random.chance(0.6) && { duePk: `DUE#${random.int(2)}`, dueSk: `2026-0${1 + random.int(4)}#X`, id: 7 }),
  ...(random.chance(0.6) && {
    listSk: `2026-0${1 + random.int(4)}`,
    list1Pk: `L#${random.int(2)}`,
    list1fPk: 'L#1#x',
    summary: { n: random.int(9) },
  }),
});

type Expression = {
  text: string;
  names?: Record<string, string>;
  values?: (random: Random) => Record<string, unknown>;
  /** Not valid for every item. What comes first then, that or a condition that does not hold, is left open. */
  isDelicate?: true;
};

const conditions: readonly Expression[] = [
  { text: 'attribute_not_exists(pk)' },
  { text: 'attribute_exists(pk) AND attribute_not_exists(#u)', names: { '#u': 'lease' } },
  { text: '#v = :v', names: { '#v': 'version' }, values: (random) => ({ ':v': random.int(3) }) },
  {
    text: '#s = :s AND (attribute_not_exists(lease) OR lease.#until <= :now)',
    names: { '#s': 'state', '#until': 'until' },
    values: () => ({ ':s': 'PENDING', ':now': '2026-02' }),
  },
  {
    text: '(version <= :v OR (#s = :s AND NOT version >= :w)) AND lease.attemptId <> :x',
    names: { '#s': 'state' },
    values: (random) => ({ ':v': random.int(2), ':s': 'DONE', ':w': 2, ':x': 'x' }),
  },
  { text: 'version BETWEEN :v AND :w', values: () => ({ ':v': 1, ':w': 2 }) },
  {
    text: '#s IN (:a, :b) OR contains(tags, :c)',
    names: { '#s': 'state' },
    values: () => ({ ':a': 'x', ':b': 'DONE', ':c': 'a' }),
  },
  { text: 'begins_with(dueSk, :d) OR size(nested.entries) > :n', values: () => ({ ':d': '2026-01', ':n': 3 }) },
  { text: 'nested = :n', values: () => ({ ':n': { entries: [1, 'two', { three: null }], flag: true } }) },
];

const updates: readonly Expression[] = [
  {
    text: 'SET lease = :l ADD version :one',
    values: () => ({ ':l': { until: '2026-01', attemptId: 'y' }, ':one': 1 }),
  },
  { text: 'SET #s = :s REMOVE lease, duePk, dueSk', names: { '#s': 'state' }, values: () => ({ ':s': 'DONE' }) },
  { text: 'ADD #n :one, extra :two', names: { '#n': 'a|b' }, values: () => ({ ':one': 1, ':two': -2 }) },
  { text: 'ADD tags :t', values: (random) => ({ ':t': new Set([random.pick(['a', 'd'])]) }) },
  { text: 'DELETE tags :t', values: () => ({ ':t': new Set(['a', 'c']) }) },
  { text: 'SET summary.n = :n', isDelicate: true, values: (random) => ({ ':n': random.int(5) }) },
  {
    text: 'SET #v = if_not_exists(#v, :zero) + :one, nested.flag = :f',
    isDelicate: true,
    names: { '#v': 'version' },
    values: () => ({ ':zero': 0, ':one': 1, ':f': false }),
  },
  { text: 'SET version = version + :one', isDelicate: true, values: () => ({ ':one': 1 }) },
  { text: 'REMOVE nested.entries[0]', isDelicate: true },
  { text: 'SET nested.entries[1] = :x', isDelicate: true, values: () => ({ ':x': 'changed' }) },
];

const placeholders = (random: Random, ...parts: readonly (Expression | undefined)[]) => {
  const names = Object.assign({}, ...parts.map((part) => part?.names ?? {}));
  const values = Object.assign({}, ...parts.map((part) => part?.values?.(random) ?? {}));
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** Placeholders of a condition and of an update that are combined get names of their own. */
const distinct = (expression: Expression, mark: string): Expression => {
  const renamed = (text: string) => text.replaceAll(/([#:])([a-z]+)/g, `$1${mark}$2`);
  const all = (map: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [renamed(name), value]));
  return {
    text: renamed(expression.text),
    ...(expression.names && { names: all(expression.names) as Record<string, string> }),
    ...(expression.values && { values: (random) => all(expression.values?.(random) ?? {}) }),
  };
};

const writeOf = (random: Random): { verb: 'Put' | 'Update' | 'Delete'; part: Record<string, unknown> } => {
  const condition = random.chance(0.6) ? distinct(random.pick(conditions), 'c') : undefined;
  const conditional = condition && { ConditionExpression: condition.text, ReturnValuesOnConditionCheckFailure };
  const verb = random.pick(['Put', 'Update', 'Update', 'Delete'] as const);
  if (verb === 'Put') {
    return { verb, part: { TableName, Item: itemOf(random), ...conditional, ...placeholders(random, condition) } };
  }
  const Key = keyOf(random);
  if (verb === 'Delete') return { verb, part: { TableName, Key, ...conditional, ...placeholders(random, condition) } };
  const update = random.pick(updates);
  const common = { TableName, Key, UpdateExpression: update.text };
  if (update.isDelicate) return { verb, part: { ...common, ...placeholders(random, update) } };
  return { verb, part: { ...common, ...conditional, ...placeholders(random, condition, update) } };
};

const queryOf = (random: Random): Record<string, unknown> => {
  const common = {
    TableName,
    ScanIndexForward: random.chance(0.5),
    ...(random.chance(0.4) && { Limit: 1 + random.int(3) }),
    ...(random.chance(0.2) && { Select: 'COUNT' }),
  };
  const [low, high] = [`2026-0${1 + random.int(2)}`, '2026-03#\uffff'];
  return random.pick([
    {
      ...common,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': 'P0', ':sk': 'S' },
      ConsistentRead: true,
    },
    {
      ...common,
      KeyConditionExpression: '#p = :pk AND sk >= :sk',
      ExpressionAttributeNames: { '#p': 'pk' },
      ExpressionAttributeValues: { ':pk': 'P1', ':sk': 'S1' },
    },
    {
      ...common,
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :p AND dueSk BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':p': `DUE#${random.int(2)}`, ':low': low, ':high': high },
    },
    {
      ...common,
      IndexName: 'list1',
      KeyConditionExpression: 'list1Pk = :p',
      ExpressionAttributeValues: { ':p': `L#${random.int(2)}` },
    },
  ]);
};

const callOf = (random: Random): Call => {
  const kind = random.int(10);
  if (kind === 0) return { name: 'GetCommand', input: { TableName, Key: keyOf(random), ConsistentRead: true } };
  if (kind === 1) {
    const Keys = [
      ...new Map(Array.from({ length: 3 }, () => keyOf(random)).map((key) => [`${key.pk}${key.sk}`, key])).values(),
    ];
    return { name: 'BatchGetCommand', input: { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } } };
  }
  if (kind === 2 && random.chance(0.3)) {
    const requests = Array.from({ length: 3 }, () =>
      random.chance(0.6) ? { PutRequest: { Item: itemOf(random) } } : { DeleteRequest: { Key: keyOf(random) } },
    );
    return { name: 'BatchWriteCommand', input: { RequestItems: { [TableName]: requests } } };
  }
  if (kind <= 3) return { name: 'QueryCommand', input: queryOf(random) };
  if (kind <= 6) {
    const { verb, part } = writeOf(random);
    return { name: `${verb}Command`, input: { ...part, ...(verb === 'Update' && { ReturnValues: 'ALL_NEW' }) } };
  }
  const parts = Array.from({ length: 1 + random.int(3) }, () => writeOf(random));
  const check = distinct(random.pick(conditions), 'c');
  const TransactItems = [
    ...parts.map(({ verb, part }) => ({ [verb]: { ...part, ReturnValuesOnConditionCheckFailure } })),
    ...(random.chance(0.3)
      ? [
          {
            ConditionCheck: {
              TableName,
              Key: keyOf(random),
              ConditionExpression: check.text,
              ...placeholders(random, check),
            },
          },
        ]
      : []),
  ];
  return { name: 'TransactWriteCommand', input: { TransactItems } };
};

/** Returns the meaningful parts of an answer, whatever gave it. */
const plain = (value: unknown): unknown => {
  if (value instanceof Set) return { set: [...value].sort() };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, one]) => [name, plain(one)]),
  );
};

type Image = Record<string, AttributeValue>;
type AwsError = Error & { Item?: Image; CancellationReasons?: { Code?: string; Item?: Image }[] };

const errorOf = (error: AwsError): unknown => {
  const { name, Item, CancellationReasons } = error;
  if (name === 'ValidationException') return { name };
  return plain({
    name,
    ...(Item && { Item: unmarshall(Item) }),
    // DynamoDB leaves open whether the old item comes with reasons that are none.
    ...(CancellationReasons && {
      reasons: CancellationReasons.map((reason) => [
        reason.Code,
        reason.Code !== 'None' && reason.Item ? unmarshall(reason.Item) : null,
      ]),
    }),
  });
};

const meaningOf = (value: object): unknown => {
  const { Item, Items, Count, ScannedCount, Attributes, Responses, LastEvaluatedKey } = value as Record<
    string,
    unknown
  >;
  const read = (Responses as Record<string, Record<string, unknown>[]> | undefined)?.[TableName];
  const byKey =
    read && [...read].sort((left, right) => (`${left['pk']}${left['sk']}` < `${right['pk']}${right['sk']}` ? -1 : 1));
  return plain({ Item, Items, Count, ScannedCount, Attributes, byKey, LastEvaluatedKey });
};

const askEmulator = async ({ name, input }: Call): Promise<unknown> => {
  try {
    const command = new commands[name](input as never);
    return meaningOf(await client.send(command as never));
  } catch (error) {
    return errorOf(error as AwsError);
  }
};

const askMemory = (table: Table, { name, input }: Call, token: number): unknown => {
  const answers: Answer[] = [];
  table.perform(name, input, token, (given) => answers.push(given));
  const [answer] = answers;
  if (!answer) throw new Error('It did not answer at once');
  return 'error' in answer ? errorOf(answer.error as AwsError) : meaningOf(answer.value as object);
};

const memory = (): Table => new Table({ now: 0, after: () => undefined }, { lag: () => 0, lock: () => 0 });

const clear = async (): Promise<void> => {
  for (const pk of ['P0', 'P1']) {
    for (const sk of ['S0', 'S1', 'S2']) await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  }
};

describe('the table in memory', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('answers as the emulator does, seed %i', async (seed) => {
    await clear();
    const table = memory();
    const random = randomOf(seed, 'calls');
    for (let step = 0; step < 120; step += 1) {
      const call = callOf(random);
      const expected = await askEmulator(call);
      expect(askMemory(table, call, step), `step ${step}: ${call.name} ${JSON.stringify(call.input)}`).toEqual(
        expected,
      );
    }
  });

  it('refuses what DynamoDB refuses, in the same words', async () => {
    const table = memory();
    const Key = { pk: 'P0', sk: 'S0' };
    const key = { ...Key, TableName };
    const refused: readonly Call[] = [
      { name: 'PutCommand', input: { TableName, Item: { pk: '', sk: 'S0' } } },
      { name: 'PutCommand', input: { TableName, Item: { ...Key, duePk: 1, dueSk: 'x' } } },
      { name: 'PutCommand', input: { TableName, Item: { ...Key, text: 'x'.repeat(410 * 1024) } } },
      { name: 'BatchGetCommand', input: { RequestItems: { [TableName]: { Keys: [Key, Key] } } } },
      {
        name: 'UpdateCommand',
        input: { TableName, Key, UpdateExpression: 'SET a.b = :x', ExpressionAttributeValues: { ':x': 1 } },
      },
      {
        name: 'UpdateCommand',
        input: { TableName, Key, UpdateExpression: 'SET pk = :x', ExpressionAttributeValues: { ':x': 'P1' } },
      },
      { name: 'TransactWriteCommand', input: { TransactItems: [] } },
      {
        name: 'TransactWriteCommand',
        input: { TransactItems: [{ Delete: { TableName, Key } }, { Delete: { TableName, Key } }] },
      },
      {
        name: 'QueryCommand',
        input: {
          TableName,
          IndexName: 'due',
          ConsistentRead: true,
          KeyConditionExpression: 'duePk = :p',
          ExpressionAttributeValues: { ':p': 'x' },
        },
      },
      { name: 'GetCommand', input: { TableName, Key: { pk: key.pk, sk: '' }, ConsistentRead: true } },
    ];
    for (const [index, call] of refused.entries()) {
      expect([call.name, askMemory(table, call, index)]).toEqual([call.name, { name: 'ValidationException' }]);
      expect([call.name, await askEmulator(call)]).toEqual([call.name, { name: 'ValidationException' }]);
    }
  });
});

describe('what no emulator has', () => {
  const put = (table: Table, version: number): Answer[] => {
    const answers: Answer[] = [];
    const Item = { pk: 'P0', sk: 'S0', version, duePk: 'DUE#0', dueSk: `${version}` };
    table.perform('PutCommand', { TableName, Item }, version, (answer) => answers.push(answer));
    return answers;
  };

  it('keeps items from others while a transaction is under way', () => {
    const later: (() => void)[] = [];
    const timeline = { now: 0, after: (_: number, work: () => void) => void later.push(work) };
    const table = new Table(timeline, { lag: () => 0, lock: () => 5 });
    const answers: Answer[] = [];
    const TransactItems = [{ Put: { Item: { pk: 'P0', sk: 'S0', version: 1 } } }];
    const transact = (token: number) =>
      table.perform('TransactWriteCommand', { TransactItems }, token, (answer) => answers.push(answer));
    transact(1);
    expect(put(table, 9)).toMatchObject([{ error: { name: 'TransactionConflictException' } }]);
    transact(2);
    expect(answers).toMatchObject([{ error: { CancellationReasons: [{ Code: 'TransactionConflict' }] } }]);
    transact(1);
    expect(answers.at(-1)).toMatchObject({ error: { name: 'TransactionInProgressException' } });
    for (const work of later) work();
    expect(answers.at(-1)).toEqual({ value: {} });
    // The same request again is known by its token, and does nothing.
    put(table, 3);
    transact(1);
    expect([answers.at(-1), table.items.get('P0\nS0')?.['version']]).toEqual([{ value: {} }, 3]);
  });

  it('shows a write in an index after a while, and never an older one over a newer one', () => {
    const timeline = { now: 0, after: () => undefined };
    const lags = [50, 10];
    const table = new Table(timeline, { lag: () => lags.shift() ?? 0, lock: () => 0 });
    const due = (): unknown => {
      const seen: Answer[] = [];
      const query = {
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :p',
        ExpressionAttributeValues: { ':p': 'DUE#0' },
      };
      table.perform('QueryCommand', query, 0, (answer) => seen.push(answer));
      const [answer] = seen;
      return answer && 'value' in answer
        ? (answer.value as { Items: { dueSk: string }[] }).Items.map(({ dueSk }) => dueSk)
        : answer;
    };
    put(table, 1);
    put(table, 2);
    const seen = [5, 20, 60].map((now) => {
      timeline.now = now;
      return due();
    });
    expect(seen).toEqual([[], ['2'], ['2']]);
  });

  it('takes no expression that it does not understand', () => {
    const update = {
      TableName,
      Key: { pk: 'P0', sk: 'S0' },
      UpdateExpression: 'SET a ! :x',
      ExpressionAttributeValues: { ':x': 1 },
    };
    const answers: Answer[] = [];
    memory().perform('UpdateCommand', update, 0, (answer) => answers.push(answer));
    expect(answers).toMatchObject([{ error: expect.any(ValidationException) }]);
  });
});

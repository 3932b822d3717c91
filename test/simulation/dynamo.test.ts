import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { useEmulator } from '#test/support/table.ts';
import { askMemory, openMemory } from './conformance/answers.ts';
import { askClient } from './conformance/client.ts';
import { allKeys, type Call, drawCalls, TableName } from './conformance/random-calls.ts';
import { type Answer, Table } from './world/dynamo.ts';
import { ValidationException } from './world/expressions.ts';

/** The table in memory is held against the emulator: the same random calls have to get the same answers from both. */

useEmulator();

let client: DynamoDBDocumentClient;
beforeAll(() => {
  client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
});

const clear = async (): Promise<void> => {
  for (const Key of allKeys) await client.send(new DeleteCommand({ TableName, Key }));
};

describe('the table in memory', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('answers as the emulator does, seed %i', async (seed) => {
    await clear();
    const table = openMemory();
    for (const [step, call] of drawCalls(seed, 120).entries()) {
      const expected = await askClient(client, call);
      expect(askMemory(table, call, step), `step ${step}: ${call.name} ${JSON.stringify(call.input)}`).toEqual(
        expected,
      );
    }
  });

  it('refuses what DynamoDB refuses, in the same words', async () => {
    const table = openMemory();
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
      expect([call.name, await askClient(client, call)]).toEqual([call.name, { name: 'ValidationException' }]);
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
    openMemory().perform('UpdateCommand', update, 0, (answer) => answers.push(answer));
    expect(answers).toMatchObject([{ error: expect.any(ValidationException) }]);
  });
});

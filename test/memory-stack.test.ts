import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { awsActionsOfCall, type Judge, partitionsOfCall, watchAwsCalls } from '#lib/local/aws/access.ts';
import { createShortcut } from '#test/support/memory-stack.ts';
import { findDelivery, receive, update } from '#test/support/personas.ts';
import { takeLeaks } from '#test/support/secret-leak-scan.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

/** Stacks whose tables are in memory are held against those with an emulator, to which calls go over HTTP. */

let undo = (): void => undefined;
afterEach(() => undo());

const TableName = 'table';
const Key = { pk: 'SITE#1', sk: 'SITE' };
const written = { Item: { pk: 'SITE#2', sk: 'X', nested: { pk: 'no key' } } };
const schedule = {
  Name: 'of-a-test',
  GroupName: 'group',
  ScheduleExpression: 'at(2030-01-01T00:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: 'arn', RoleArn: 'role', Input: '{}' },
} as const;
const mail = {
  FromEmailAddress: 'a@example.com',
  Destination: { ToAddresses: ['b@example.com'] },
  Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
};

const settings = { region: 'eu-west-1', maxAttempts: 1, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
const nowhere = { ...settings, endpoint: 'http://127.0.0.1:9' };

const calls = (): [string, () => Promise<unknown>][] => {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(nowhere));
  const ofTable = [
    new GetCommand({ TableName, Key }),
    new PutCommand({ TableName, ...written }),
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET x = :pk',
      ExpressionAttributeValues: { ':pk': 'SITE#3' },
    }),
    new DeleteCommand({ TableName, Key }),
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key, { pk: 'USER#1', sk: 'USER' }] } } }),
    new BatchWriteCommand({
      RequestItems: { [TableName]: [{ PutRequest: written }, { DeleteRequest: { Key } }] },
    }),
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'SITE#4' },
    }),
    new QueryCommand({
      TableName,
      IndexName: 'list1',
      KeyConditionExpression: 'list1Pk = :list',
      ExpressionAttributeValues: { ':list': 'X' },
    }),
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, ...written } },
        { Update: { TableName, Key, UpdateExpression: 'REMOVE x' } },
        { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: { pk: 'TX#1', sk: 'TX' } } },
      ],
    }),
    new ScanCommand({ TableName }),
  ].map((command): [string, () => Promise<unknown>] => [
    command.constructor.name,
    () => table.send(command as GetCommand),
  ]);
  const QueueUrl = 'http://127.0.0.1:9/000000000000/delivery';
  const Entries = [{ Id: '0', MessageBody: '{}' }];
  return [
    ...ofTable,
    ['SendMessageBatch', () => new SQSClient(nowhere).send(new SendMessageBatchCommand({ QueueUrl, Entries }))],
    ['GetSecretValue', () => new SecretsManagerClient(nowhere).send(new GetSecretValueCommand({ SecretId: 'jwt' }))],
    ['CreateSchedule', () => new SchedulerClient(nowhere).send(new CreateScheduleCommand(schedule))],
    ['DeleteSchedule', () => new SchedulerClient(nowhere).send(new DeleteScheduleCommand(schedule))],
    ['SendEmail', () => new SESv2Client(nowhere).send(new SendEmailCommand(mail))],
  ];
};

class Refused extends Error {}

describe('what a function may do is judged', () => {
  /** Records each call that the judge sees. */
  const judged = async (enter: (judge: Judge) => () => void): Promise<unknown[]> => {
    const told: unknown[] = [];
    undo = enter((target, path, body) => {
      told.push([awsActionsOfCall(target, path, body()), partitionsOfCall(target, body())]);
      return new Refused();
    });
    for (const [name, call] of calls()) await expect(call(), name).rejects.toBeInstanceOf(Refused);
    undo();
    return told;
  };

  it('by the same words as over HTTP', async () => {
    const overHttp = await judged(watchAwsCalls);
    const inMemory = await judged((judge) => createShortcut().enter(judge, { targets: {}, paths: {} }));
    expect(inMemory).toHaveLength(calls().length);
    expect(inMemory).toEqual(overHttp);
  });
});

describe('a stack with its table in memory', () => {
  let service: TestStack | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const shapeOf = (output: object): unknown =>
    Object.entries(output)
      .filter(([name]) => name !== '$metadata')
      .map(([name, value]) => [name, value instanceof Date ? 'date' : typeof value])
      .sort();

  /** Returns what each service answers, and refuses. */
  const answers = async (isReal: boolean): Promise<unknown> => {
    service = await startStack({ real: isReal });
    const [queues, secrets] = [new SQSClient(settings), new SecretsManagerClient(settings)];
    const [schedules, mails] = [new SchedulerClient(settings), new SESv2Client(settings)];
    const [group] = service.stack.resources.scheduleGroups;
    const own = { ...schedule, GroupName: group };
    const target = { ...own.Target, Arn: process.env['DEADLINE_QUEUE_ARN'] };
    const MessageBody = JSON.stringify({ alertId: 1, phase: 'END' });
    const send = (QueueUrl: string | undefined, Id: string) =>
      queues.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id, MessageBody }] }));
    const read = (SecretId: string | undefined) => secrets.send(new GetSecretValueCommand({ SecretId }));
    const make = () => schedules.send(new CreateScheduleCommand({ ...own, Target: target }));
    const remove = () => schedules.send(new DeleteScheduleCommand({ Name: own.Name, GroupName: group }));
    const post = (ToAddresses: string[]) =>
      mails.send(
        new SendEmailCommand({
          ...mail,
          FromEmailAddress: process.env['MAIL_FROM'],
          Destination: { ToAddresses },
        }),
      );
    const made: (() => Promise<object>)[] = [
      () => send(process.env['DEADLINE_QUEUE_URL'], 'a'),
      () => send(process.env['DEADLINE_QUEUE_URL'], 'not an id'),
      () => send(process.env['DEADLINE_QUEUE_URL']?.replace(/[^/]*$/, 'none'), 'a'),
      () => read(process.env['JWT_SECRET_ID']),
      () => read('none'),
      make,
      make,
      remove,
      remove,
      () => post(['b@example.com']),
      () => post(['nobody']),
    ];
    const all: unknown[] = [];
    for (const one of made) {
      all.push(await one().then(shapeOf, (error: Error) => [error.constructor.name, error.name, error.message]));
    }
    return all;
  };

  it('has its services answer as over HTTP', async () => {
    const inMemory = await answers(false);
    await service?.stop();
    expect(inMemory).toEqual(await answers(true));
  });

  /** Returns what functions did at AWS, and how often a person was notified of it, while an endpoint was down for a day. */
  const played = async (isReal: boolean): Promise<unknown> => {
    service = await startStack({ real: isReal });
    service.sinks.answer('demo', { status: 500 });
    const alertId = await receive(service);
    await service.restart();
    await service.clock.advance('PT24H');
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    await service.untilIdle();
    const { state, attempts } = await findDelivery(service, alertId, 'new_alert');
    expect(service.problems).toEqual([]);
    const awsActions = [...service.awsActions].map(([name, actions]) => [name, [...actions].sort()] as const);
    return {
      state,
      attempts: attempts.length,
      posted: service.sinks.got('demo').length,
      awsActions: awsActions.sort(),
    };
  };

  it('has its functions do what they do with an emulator, across a restart', async () => {
    const inMemory = await played(false);
    await service?.stop();
    expect(inMemory).toEqual(await played(true));
  });

  it('has the scan look at its rows, also at one that is overwritten', async () => {
    const planted = await startStack({ real: false, withDemo: false });
    for (const note of ['4000 0027 6000 0016', 'overwritten']) {
      const Item = marshall({ pk: 'PLANTED', sk: 'ROW', note });
      const [table] = planted.stack.tables.names;
      await planted.stack.tables.client.send(new PutItemCommand({ TableName: table, Item }));
    }
    await expect(planted.stop()).rejects.toThrow('the rows of the table: the card');
    takeLeaks();
  });

  it('deletes what has outlived its time to live, and reports it in the stream', async () => {
    service = await startStack({ real: false, withDemo: false });
    const { tables, clock } = service.stack;
    const [TableName = ''] = tables.names;
    const ttl = Math.floor(clock.now() / 1000);
    for (const seconds of [-1, 1]) {
      const Item = marshall({ pk: 'TTL', sk: String(seconds), ttl: ttl + seconds });
      await tables.client.send(new PutItemCommand({ TableName, Item }));
    }
    expect(await tables.expire()).toBe(1);
    const stream = await tables.openStream(TableName);
    const page = await stream.after(undefined);
    const names = page?.changes.map(({ eventName, dynamodb: { Keys } }) => [eventName, Keys]);
    const keyOf = (sk: string) => ({ pk: { S: 'TTL' }, sk: { S: sk } });
    expect(names).toEqual([
      ['INSERT', keyOf('-1')],
      ['INSERT', keyOf('1')],
      ['REMOVE', keyOf('-1')],
    ]);
    expect(await stream.after(page?.end)).toBeUndefined();
  });

  it.each([false, true])(
    'lets go of what everybody has read, and of nothing else (with an emulator: %s)',
    async (real) => {
      service = await startStack({ real, withDemo: false });
      const { tables } = service.stack;
      const [TableName = ''] = tables.names;
      for (const sk of ['read', 'unread', 'last']) {
        await tables.client.send(new PutItemCommand({ TableName, Item: marshall({ pk: 'PLACE', sk }) }));
      }
      const read = async () => (await (await tables.openStream(TableName)).after(undefined))?.changes ?? [];
      const [, unread] = await read();
      tables.forgetStream(TableName, Number(unread?.dynamodb.SequenceNumber));
      const left = await read();
      expect(left.map(({ dynamodb: { Keys } }) => Keys)).toEqual(
        ['unread', 'last'].map((sk) => marshall({ pk: 'PLACE', sk })),
      );
    },
  );
});

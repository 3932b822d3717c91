import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { patiently } from '#test/support/wait-options.ts';
import { type Code, startTiny, type TinyStack } from './tiny-stack.ts';

let tiny: TinyStack | undefined;
afterEach(async () => {
  await tiny?.[Symbol.asyncDispose]();
  tiny = undefined;
});

const start = async (code: Code): Promise<LocalStack> => {
  tiny = await startTiny(code);
  return tiny.stack;
};

/** A function that notes what it gets and when, and fails the records that say so. */
const worker = (fileOfNotes: string) => `
const { appendFileSync } = require('node:fs');
exports.handler = async ({ Records }) => {
  const clock = globalThis[Symbol.for('forewarn.clock')];
  appendFileSync(${JSON.stringify(fileOfNotes)}, JSON.stringify({ at: new Date(clock()).toISOString(),
    bodies: Records.map(({ body, dynamodb }) => body ?? dynamodb.Keys.pk.S) }) + '\\n');
  if (Records.some(({ body }) => body === 'throw')) throw new Error('as told');
  return { batchItemFailures: Records.filter(({ body, dynamodb }) => (body ?? dynamodb.Keys.pk.S).startsWith('fail'))
    .map(({ messageId, dynamodb }) => ({ itemIdentifier: messageId ?? dynamodb.SequenceNumber })) };
};`;

const noteFile = () => join('/tmp', `forewarn-notes-${process.pid}-${Math.trunc(performance.now() * 1000)}`);
type Note = { at: string; bodies: string[] };
const notes = (file: string): Note[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
const bodies = (file: string): string[] => notes(file).flatMap((note) => note.bodies);

const client = { region: 'eu-west-1' };
const send = (stack: LocalStack, body: string) =>
  new SQSClient(client).send(new SendMessageCommand({ QueueUrl: workQueue(stack), MessageBody: body }));
const workQueue = (stack: LocalStack) => stack.runner.definitions[0]?.environment['WORK_QUEUE_URL'];
const put = (stack: LocalStack, pk: string, more: Record<string, { S: string } | { N: string }> = {}) =>
  stack.tables.client.send(
    new PutItemCommand({ TableName: 'tiny', Item: { pk: { S: pk }, sk: { S: 'X' }, entity: { S: 'ALERT' }, ...more } }),
  );
const depth = (stack: LocalStack, name: string) => {
  const queue = stack.queues.find(name);
  return queue && stack.queues.depth(queue);
};
/** The stack reports that it is busy while a tick of its clock runs. */
const untilReportedIdle = (stack: LocalStack) => vi.waitUntil(() => stack.time.isIdle(), patiently);
const minute = 60_000;

describe('a queue', () => {
  it('brings messages sent together in one batch', async () => {
    const file = noteFile();
    const stack = await start({ worker: worker(file) });
    const Entries = ['a', 'b', 'c'].map((MessageBody, index) => ({
      Id: String(index),
      MessageBody,
      MessageGroupId: 'g',
    }));
    await new SQSClient(client).send(new SendMessageBatchCommand({ QueueUrl: workQueue(stack), Entries }));
    await stack.time.untilIdle();
    expect(notes(file).map((note) => note.bodies)).toEqual([['a', 'b', 'c']]);
    expect(depth(stack, 'tiny-work')).toEqual({ visible: 0, hidden: 0 });
  });

  it('shows a failed message again when its visibility timeout is over by the clock that was moved', async () => {
    const file = noteFile();
    const stack = await start({ worker: worker(file) });
    await send(stack, 'fail');
    await send(stack, 'good');
    await stack.time.untilIdle();
    expect(bodies(file).toSorted()).toEqual(['fail', 'good']);
    await untilReportedIdle(stack);
    await stack.time.moveTo(stack.clock.now() + minute + 1000);
    expect(bodies(file).toSorted()).toEqual(['fail', 'fail', 'good']);
  });

  it('moves a message to the dead-letter queue after its last receipt', async () => {
    const file = noteFile();
    const stack = await start({ worker: worker(file) });
    await send(stack, 'throw');
    await stack.time.moveTo(stack.clock.now() + 10 * minute);
    expect(bodies(file)).toEqual(['throw', 'throw', 'throw']);
    expect(depth(stack, 'tiny-lost')).toEqual({ visible: 1, hidden: 0 });
    await untilReportedIdle(stack);
  });

  it('redelivers what was in flight when the stack starts again', async () => {
    const file = noteFile();
    const stack = await start({ worker: worker(file) });
    await send(stack, 'fail');
    await stack.time.untilIdle();
    const again = await tiny?.restart();
    await again?.time.untilIdle();
    expect(bodies(file)).toEqual(['fail', 'fail']);
  });

  it('uses up no receipt of a message by being restarted', async () => {
    const file = noteFile();
    const stack = await start({ worker: worker(file) });
    await send(stack, 'throw');
    await stack.time.untilIdle();
    for (let restart = 0; restart < 4; restart += 1) await (await tiny?.restart())?.time.untilIdle();
    expect(bodies(file)).toHaveLength(5);
    const again = tiny?.stack ?? stack;
    expect(depth(again, 'tiny-lost')).toEqual({ visible: 0, hidden: 0 });
    await again.time.moveTo(again.clock.now() + 10 * minute);
    expect(depth(again, 'tiny-lost')).toEqual({ visible: 1, hidden: 0 });
  });
});

describe('a stream', () => {
  it('brings the changes its filter lets through, in order, without those that change nothing', async () => {
    const file = noteFile();
    const stack = await start({ router: worker(file) });
    for (const pk of ['a', 'b', 'c', 'c']) await put(stack, pk);
    await put(stack, 'd', { entity: { S: 'OTHER' } });
    await stack.time.untilIdle();
    expect(bodies(file)).toEqual(['a', 'b', 'c']);
  });

  it('goes on after a restart where it was, and brings nothing twice', async () => {
    const file = noteFile();
    const stack = await start({ router: worker(file) });
    await put(stack, 'a');
    await stack.time.untilIdle();
    const again = await tiny?.restart();
    if (again) await put(again, 'b');
    await again?.time.untilIdle();
    expect(bodies(file)).toEqual(['a', 'b']);
  });

  it('gives a change up after its attempts, tells the failure queue, and goes on', async () => {
    const file = noteFile();
    const stack = await start({ router: worker(file) });
    for (const pk of ['a', 'fail', 'z']) await put(stack, pk);
    await stack.time.untilIdle();
    expect(bodies(file)).toContain('z');
    expect(bodies(file).filter((pk) => pk === 'a')).toHaveLength(1);
    expect(depth(stack, 'tiny-lost')).toEqual({ visible: 1, hidden: 0 });
  });
});

describe('the clock', () => {
  it('fires each schedule at its own instant, in order, and says so in the message', async () => {
    const file = noteFile();
    tiny = await startTiny({ worker: worker(file) }, {}, { startTime: Date.parse('2026-05-02T10:00:00Z') });
    await tiny.stack.time.moveTo(Date.parse('2026-05-03T13:00:00Z'));
    const slots = ['2026-05-02T12:00:00Z', '2026-05-03T00:00:00Z', '2026-05-03T12:00:00Z'];
    expect(bodies(file)).toEqual(slots.map((slot) => JSON.stringify({ slot })));
    expect(notes(file).map(({ at }) => at.slice(0, 17))).toEqual(slots.map((slot) => slot.slice(0, 17)));
    expect(tiny.stack.clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-05-03T13:00:00Z'));
  });

  it('goes on after a restart, and fires what was missed, each by its own time', async () => {
    const file = noteFile();
    tiny = await startTiny({ worker: worker(file) }, {}, { startTime: Date.parse('2026-05-02T10:00:00Z') });
    const { stack } = tiny;
    // As if the machine had been off for a day: the clock has moved, the schedules have not.
    stack.clock.moveTo(Date.parse('2026-05-03T10:00:00Z'));
    const again = await tiny.restart();
    await again.time.moveTo(again.clock.now());
    const slots = ['2026-05-02T12:00:00Z', '2026-05-03T00:00:00Z'];
    expect(bodies(file)).toEqual(slots.map((slot) => JSON.stringify({ slot })));
    expect(again.clock.now()).toBeGreaterThanOrEqual(Date.parse('2026-05-03T10:00:00Z'));
  });

  it('sweeps items whose time to live is over', async () => {
    const stack = await start({ worker: worker(noteFile()) });
    await put(stack, 'mortal', { ttl: { N: String(Math.floor(stack.clock.now() / 1000) + 3600) } });
    const get = new GetItemCommand({ TableName: 'tiny', Key: { pk: { S: 'mortal' }, sk: { S: 'X' } } });
    expect((await stack.tables.client.send(get)).Item).toBeDefined();
    await stack.time.moveTo(stack.clock.now() + 2 * 60 * minute);
    expect((await stack.tables.client.send(get)).Item).toBeUndefined();
  });
});

describe('EventBridge Scheduler', () => {
  const request = (stack: LocalStack, at: string) => ({
    Name: 'deadline-1',
    GroupName: 'tiny-group',
    ScheduleExpression: `at(${at})`,
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    ActionAfterCompletion: 'DELETE' as const,
    Target: {
      Arn: stack.queues.find('tiny-work')?.arn ?? '',
      RoleArn: 'arn:aws:iam::000000000000:role/r',
      Input: '{"alertId":1}',
    },
  });
  const named = { Name: 'deadline-1', GroupName: 'tiny-group' };

  it('fires a one-time schedule once and forgets it', async () => {
    const file = noteFile();
    tiny = await startTiny({ worker: worker(file) }, {}, { startTime: Date.parse('2026-05-02T01:00:00Z') });
    const { stack } = tiny;
    const scheduler = new SchedulerClient(client);
    await scheduler.send(new CreateScheduleCommand(request(stack, '2026-05-02T03:00:00')));
    expect(await scheduler.send(new GetScheduleCommand(named))).toMatchObject({
      ScheduleExpression: 'at(2026-05-02T03:00:00)',
    });
    await expect(
      scheduler.send(new CreateScheduleCommand(request(stack, '2026-05-02T04:00:00'))),
    ).rejects.toMatchObject({
      name: 'ConflictException',
    });
    await stack.time.moveTo(Date.parse('2026-05-02T05:00:00Z'));
    expect(bodies(file)).toEqual(['{"alertId":1}']);
    await expect(scheduler.send(new GetScheduleCommand(named))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  it('never fires one whose time was over when it was made, nor one that was deleted', async () => {
    const file = noteFile();
    tiny = await startTiny({ worker: worker(file) }, {}, { startTime: Date.parse('2026-05-02T01:00:00Z') });
    const { stack } = tiny;
    const scheduler = new SchedulerClient(client);
    await scheduler.send(new CreateScheduleCommand(request(stack, '2026-05-01T03:00:00')));
    await stack.time.moveTo(Date.parse('2026-05-02T02:00:00Z'));
    await scheduler.send(new DeleteScheduleCommand(named));
    await scheduler.send(new CreateScheduleCommand(request(stack, '2026-05-02T03:00:00')));
    await scheduler.send(new DeleteScheduleCommand(named));
    await stack.time.moveTo(Date.parse('2026-05-02T05:00:00Z'));
    expect(bodies(file)).toEqual([]);
  });
});

describe('Secrets Manager', () => {
  it('gives the value that was drawn when the data folder was new', async () => {
    const stack = await start({ worker: worker(noteFile()) });
    const SecretId = stack.runner.definitions[0]?.environment['SECRET_ID'];
    const read = async () =>
      (await new SecretsManagerClient(client).send(new GetSecretValueCommand({ SecretId }))).SecretString;
    const value = await read();
    expect(JSON.parse(value ?? '')).toEqual({ current: 'k1', k1: expect.stringMatching(/^[A-Za-z0-9]{64}$/) });
    await tiny?.restart();
    expect(await read()).toBe(value);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import type { AwsService } from '#lib/local/aws/aws-server.ts';
import { openQueues } from '#lib/local/aws/queues.ts';
import { schedulerService } from '#lib/local/aws/scheduler-service.ts';
import { openSchedules } from '#lib/local/aws/schedules.ts';
import { queueUrl, sqsService } from '#lib/local/aws/sqs-service.ts';
import { openClock } from '#lib/local/clock.ts';
import { openState } from '#lib/local/state.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-limits-'));
const state = openState(folder);
const clock = openClock(state);
const arn = 'arn:aws:sqs:eu-west-1:000000000000:work';
const queue = { name: 'work', arn, visibilityTimeoutSeconds: 30, delaySeconds: 0, retentionSeconds: 345_600 };
const sqs = sqsService(openQueues(state, clock, [{ ...queue, maximumMessageBytes: 1_048_576 }]), 'http://local');
const schedules = openSchedules(state, clock, () => undefined);
const scheduler = schedulerService(schedules, { hasGroup: () => true, hasTarget: () => true });
afterAll(() => {
  state.close();
  setClock();
  rmSync(folder, { recursive: true, force: true });
});

type Send = () => unknown;
const call = (service: AwsService, action: string, path: string[], body: object) =>
  service({ method: 'POST', path, query: new URLSearchParams(), action, body });
const ask = (action: string, body: object) =>
  call(sqs, action, [], { QueueUrl: queueUrl('http://local', 'work'), ...body });
const send =
  (more: object): Send =>
  () =>
    ask('SendMessage', { MessageBody: 'x', ...more });
const batch =
  (...Entries: object[]): Send =>
  () =>
    ask('SendMessageBatch', { Entries: Entries.map((one, index) => ({ Id: `e${index}`, MessageBody: 'x', ...one })) });
const text = (length: number) => 'x'.repeat(length);
const attributes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`a${index}`, { DataType: 'String', StringValue: 'x' }]),
  );
const ofSize = (length: number) => ({ a: { DataType: 'String', StringValue: text(length) } });
const several = (count: number) => batch(...Array.from({ length: count }, () => ({})));
const halves = (more: number) => batch({ MessageBody: text(524_288) }, { MessageBody: text(524_288 + more) });
const hide =
  (VisibilityTimeout: number): Send =>
  () => {
    const { Messages = [] } = ask('ReceiveMessage', { VisibilityTimeout }) as { Messages?: unknown[] };
    return Messages;
  };

let made = 0;
const schedule =
  (more: object, target: object = {}, name?: string): Send =>
  () => {
    made += 1;
    const Target = { Arn: arn, RoleArn: 'arn:aws:iam::0:role/r', Input: '{}', ...target };
    const body = { ScheduleExpression: 'rate(1 day)', FlexibleTimeWindow: { Mode: 'OFF' }, Target, ...more };
    return call(scheduler, '', ['schedules', name ?? `s${made}`], body);
  };

const limits: Readonly<Record<string, readonly [within: Send, over: Send, code: string]>> = {
  'messages of 1 MiB': [
    send({ MessageBody: text(1_048_576) }),
    send({ MessageBody: text(1_048_577) }),
    'InvalidParameterValue',
  ],
  'messages of 1 MiB with their attributes': [
    send({ MessageBody: text(1_048_000), MessageAttributes: ofSize(500) }),
    send({ MessageBody: text(1_048_000), MessageAttributes: ofSize(600) }),
    'InvalidParameterValue',
  ],
  'messages that are not empty': [send({ MessageBody: ' ' }), send({ MessageBody: '' }), 'ValidationException'],
  'the characters of XML': [
    send({ MessageBody: '\t\u{1f600}' }),
    send({ MessageBody: '\u0001' }),
    'InvalidMessageContents',
  ],
  'delays of 900 seconds': [send({ DelaySeconds: 900 }), send({ DelaySeconds: 901 }), 'ValidationException'],
  'delays in whole seconds': [send({ DelaySeconds: 1 }), send({ DelaySeconds: 1.5 }), 'ValidationException'],
  'ten attributes of a message': [
    send({ MessageAttributes: attributes(10) }),
    send({ MessageAttributes: attributes(11) }),
    'ValidationException',
  ],
  'groups of 128 characters': [
    send({ MessageGroupId: text(128) }),
    send({ MessageGroupId: text(129) }),
    'ValidationException',
  ],
  'groups without spaces': [send({ MessageGroupId: 'a-b' }), send({ MessageGroupId: 'a b' }), 'ValidationException'],
  'ten entries of a batch': [several(10), several(11), 'TooManyEntriesInBatchRequest'],
  'an entry of a batch at least': [several(1), several(0), 'EmptyBatchRequest'],
  'distinct ids of entries': [
    batch({ Id: 'a' }, { Id: 'b' }),
    batch({ Id: 'a' }, { Id: 'a' }),
    'BatchEntryIdsNotDistinct',
  ],
  'ids of entries of 80 characters': [batch({ Id: text(80) }), batch({ Id: text(81) }), 'ValidationException'],
  'batches of 1 MiB': [halves(0), halves(1), 'BatchRequestTooLong'],
  'ten messages received at once': [
    () => ask('ReceiveMessage', { MaxNumberOfMessages: 10 }),
    () => ask('ReceiveMessage', { MaxNumberOfMessages: 11 }),
    'ValidationException',
  ],
  'visibility of twelve hours': [hide(43_200), hide(43_201), 'ValidationException'],
  'names of schedules of 64 characters': [
    schedule({}, {}, text(64)),
    schedule({}, {}, text(65)),
    'ValidationException',
  ],
  'names of schedules without spaces': [schedule({}, {}, 'a.b-c_d'), schedule({}, {}, 'a b'), 'ValidationException'],
  'names of groups of 64 characters': [
    schedule({ GroupName: text(64) }),
    schedule({ GroupName: text(65) }),
    'ValidationException',
  ],
  'expressions of schedules of 256 characters': [
    schedule({ ScheduleExpression: `cron(0 12 * * ? ${' '.repeat(238)}*)` }),
    schedule({ ScheduleExpression: `cron(0 12 * * ? ${' '.repeat(239)}*)` }),
    'ValidationException',
  ],
  'time zones of 50 characters': [
    schedule({ ScheduleExpressionTimezone: 'America/Argentina/ComodRivadavia' }),
    schedule({ ScheduleExpressionTimezone: text(51) }),
    'ValidationException',
  ],
  'targets of 1,600 characters': [
    schedule({}, { Arn: text(1600) }),
    schedule({}, { Arn: text(1601) }),
    'ValidationException',
  ],
  'roles of 1,600 characters': [
    schedule({}, { RoleArn: text(1600) }),
    schedule({}, { RoleArn: text(1601) }),
    'ValidationException',
  ],
  'inputs that are not empty': [schedule({}, { Input: '1' }), schedule({}, { Input: '' }), 'ValidationException'],
};

const tryWork = async (work: Send): Promise<unknown> => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
};

/**
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
 */
describe('the local queues and schedules', () => {
  it.each(Object.entries(limits))('accept what is within a limit, and refuse what exceeds it: %s', async (_, pair) => {
    const [within, over, code] = pair;
    expect(await tryWork(within)).toBe('done');
    expect(await tryWork(over)).toBe(code);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { startAwsServer } from '#lib/local/aws/aws-server.ts';
import { openQueues, type QueueDefinition } from '#lib/local/aws/queues.ts';
import { queueUrl, sqsService } from '#lib/local/aws/sqs-service.ts';
import { openClock } from '#lib/local/clock.ts';
import { openState } from '#lib/local/state.ts';

/**
 * The local stack has queues of its own, as they go by its clock and live in its data folder. Here they and an SQS emulator
 * that is used elsewhere play the same scenes, through the AWS client, and must answer alike.
 */
const arn = (name: string) => `arn:aws:sqs:eu-west-1:000000000000:${name}`;
const definition = (name: string, redrive?: QueueDefinition['redrive']): QueueDefinition => ({
  name,
  arn: arn(name),
  visibilityTimeoutSeconds: 30,
  delaySeconds: 0,
  retentionSeconds: 345_600,
  maximumMessageBytes: 262_144,
  ...(redrive && { redrive }),
});
const definitions = [
  definition('dead'),
  definition('work', { arn: arn('dead'), maxReceiveCount: 2 }),
  definition('plain'),
];

type Fixture = { client: SQSClient; url: (name: string) => string };
const fixtures = new Map<string, Fixture>();
const closing: (() => unknown)[] = [];

const client = (endpoint: string) => new SQSClient({ endpoint, region: 'eu-west-1', maxAttempts: 1 });

const startOurs = async (): Promise<Fixture> => {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-sqs-'));
  const state = openState(folder);
  const queues = openQueues(state, openClock(state), definitions);
  const current = { url: '' };
  const service = () => sqsService(queues, current.url);
  const server = await startAwsServer(() => ({ targets: { AmazonSQS: service() }, paths: {} }));
  current.url = server.url;
  closing.push(
    server.close,
    () => state.close(),
    () => setClock(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  return { client: client(server.url), url: (name) => queueUrl(server.url, name) };
};

const startOther = async (): Promise<Fixture> => {
  const other = await startFauxqs({ port: 0, logger: false, defaultRegion: 'eu-west-1' });
  for (const { name, redrive, visibilityTimeoutSeconds } of definitions) {
    const attributes = {
      VisibilityTimeout: String(visibilityTimeoutSeconds),
      MaximumMessageSize: '262144',
      ...(redrive && {
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: redrive.arn, maxReceiveCount: redrive.maxReceiveCount }),
      }),
    };
    other.createQueue(name, { attributes });
  }
  closing.push(() => other.stop());
  return { client: client(other.address), url: (name) => `${other.address}/000000000000/${name}` };
};

beforeAll(async () => {
  fixtures.set('ours', await startOurs());
  fixtures.set('theirs', await startOther());
});
afterAll(async () => {
  for (const { client: one } of fixtures.values()) one.destroy();
  for (const close of closing) await close();
});

/** Plays a scene in both worlds and holds what it saw equal. */
const alike = (name: string, scene: (fixture: Fixture) => Promise<unknown>) =>
  it(name, async () => {
    const [ours, theirs] = await Promise.all([...fixtures.values()].map(scene));
    expect(ours).toEqual(theirs);
  });

const catchError = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? 'refused' : 'odd'),
  );

const receive = async ({ client: sqs, url }: Fixture, queue: string, more: object = {}) => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url(queue),
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    ...more,
  });
  return (await sqs.send(command)).Messages ?? [];
};
const drain = async (fixture: Fixture, queue: string) => {
  for (let messages = await receive(fixture, queue); messages.length > 0; messages = await receive(fixture, queue)) {
    for (const { ReceiptHandle } of messages)
      await fixture.client.send(new DeleteMessageCommand({ QueueUrl: fixture.url(queue), ReceiptHandle }));
  }
};
const show = (fixture: Fixture, queue: string, ReceiptHandle: string | undefined, VisibilityTimeout = 0) =>
  fixture.client.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: fixture.url(queue), ReceiptHandle, VisibilityTimeout }),
  );

describe('our queues do as an SQS emulator does', () => {
  alike('with a batch: bodies, digests, counts', async (fixture) => {
    const Entries = [1, 2, 3].map((n) => ({ Id: `e${n}`, MessageBody: `{"n":${n}}`, MessageGroupId: `S${n % 2}` }));
    const sent = await fixture.client.send(new SendMessageBatchCommand({ QueueUrl: fixture.url('plain'), Entries }));
    const messages = await receive(fixture, 'plain');
    const left = await receive(fixture, 'plain');
    for (const { ReceiptHandle } of messages) await show(fixture, 'plain', ReceiptHandle);
    await drain(fixture, 'plain');
    return {
      sent: sent.Successful?.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]),
      failed: sent.Failed ?? [],
      messages: messages
        .map(({ Body, MD5OfBody, Attributes }) => [Body, MD5OfBody, Attributes?.ApproximateReceiveCount])
        .sort(),
      left: left.length,
      end: (await receive(fixture, 'plain')).length,
    };
  });

  alike('with a receipt that was overtaken by another', async (fixture) => {
    await fixture.client.send(new SendMessageCommand({ QueueUrl: fixture.url('plain'), MessageBody: 'a' }));
    const [first] = await receive(fixture, 'plain');
    await show(fixture, 'plain', first?.ReceiptHandle);
    const [second] = await receive(fixture, 'plain');
    const counts = [first, second].map((one) => one?.Attributes?.ApproximateReceiveCount);
    const isNew = first?.ReceiptHandle !== second?.ReceiptHandle && first?.MessageId === second?.MessageId;
    const batch = new DeleteMessageBatchCommand({
      QueueUrl: fixture.url('plain'),
      Entries: [{ Id: 'x', ReceiptHandle: second?.ReceiptHandle }],
    });
    const { Successful = [], Failed = [] } = await fixture.client.send(batch);
    return {
      counts,
      isNew,
      deleted: Successful.length,
      failed: Failed.length,
      left: (await receive(fixture, 'plain')).length,
    };
  });

  alike('with a message that fails too often: it goes to the dead-letter queue', async (fixture) => {
    await fixture.client.send(new SendMessageCommand({ QueueUrl: fixture.url('work'), MessageBody: 'poison' }));
    const seen: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const messages = await receive(fixture, 'work');
      seen.push(messages.length);
      for (const { ReceiptHandle } of messages) await show(fixture, 'work', ReceiptHandle);
    }
    const dead = await receive(fixture, 'dead');
    await drain(fixture, 'dead');
    return { seen, dead: dead.map(({ Body }) => Body) };
  });

  alike('with its depth, seen and hidden', async (fixture) => {
    for (const MessageBody of ['a', 'b', 'c'])
      await fixture.client.send(new SendMessageCommand({ QueueUrl: fixture.url('plain'), MessageBody }));
    const held = await receive(fixture, 'plain', { MaxNumberOfMessages: 2 });
    const names = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'VisibilityTimeout',
    ] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl: fixture.url('plain'), AttributeNames: [...names] });
    const { Attributes = {} } = await fixture.client.send(command);
    for (const { ReceiptHandle } of held) await show(fixture, 'plain', ReceiptHandle);
    await drain(fixture, 'plain');
    return names.map((name) => Attributes[name]);
  });

  alike('with what it refuses: no queue, no entries, a batch too long, more than ten', async (fixture) => {
    const send = (queue: string, bodies: readonly string[]) =>
      catchError(
        fixture.client.send(
          new SendMessageBatchCommand({
            QueueUrl: fixture.url(queue),
            Entries: bodies.map((MessageBody, id) => ({ Id: String(id), MessageBody })),
          }),
        ),
      );
    return [
      await send('nowhere', ['a']),
      await send('plain', []),
      await send(
        'plain',
        Array.from({ length: 11 }, () => 'a'),
      ),
      await send('plain', ['a'.repeat(200_000), 'b'.repeat(200_000)]),
      await send(
        'plain',
        Array.from({ length: 6 }, () => 'a'.repeat(200_000)),
      ),
      await catchError(receive(fixture, 'plain', { MaxNumberOfMessages: 11 })),
    ];
  });
});

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
import { setClock } from '../../functions/core/clock.ts';
import { startAwsServer } from '../../lib/local/aws/aws-server.ts';
import { openQueues, type QueueDefinition } from '../../lib/local/aws/queues.ts';
import { queueUrl, sqsService } from '../../lib/local/aws/sqs-service.ts';
import { openClock } from '../../lib/local/clock.ts';
import { openState } from '../../lib/local/state.ts';

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

type World = { client: SQSClient; url: (name: string) => string };
const worlds = new Map<string, World>();
const closing: (() => unknown)[] = [];

const client = (endpoint: string) => new SQSClient({ endpoint, region: 'eu-west-1', maxAttempts: 1 });

const startOurs = async (): Promise<World> => {
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

const startOther = async (): Promise<World> => {
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
  worlds.set('ours', await startOurs());
  worlds.set('theirs', await startOther());
});
afterAll(async () => {
  for (const { client: one } of worlds.values()) one.destroy();
  for (const close of closing) await close();
});

/** Plays a scene in both worlds and holds what it saw equal. */
const alike = (name: string, scene: (world: World) => Promise<unknown>) =>
  it(name, async () => {
    const [ours, theirs] = await Promise.all([...worlds.values()].map(scene));
    expect(ours).toEqual(theirs);
  });

const errorOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? 'refused' : 'odd'),
  );

const receive = async ({ client: sqs, url }: World, queue: string, more: object = {}) => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url(queue),
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    ...more,
  });
  return (await sqs.send(command)).Messages ?? [];
};
const drain = async (world: World, queue: string) => {
  for (let messages = await receive(world, queue); messages.length > 0; messages = await receive(world, queue)) {
    for (const { ReceiptHandle } of messages)
      await world.client.send(new DeleteMessageCommand({ QueueUrl: world.url(queue), ReceiptHandle }));
  }
};
const show = (world: World, queue: string, ReceiptHandle: string | undefined, VisibilityTimeout = 0) =>
  world.client.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: world.url(queue), ReceiptHandle, VisibilityTimeout }),
  );

describe('our queues do as an SQS emulator does', () => {
  alike('with a batch: bodies, digests, counts', async (world) => {
    const Entries = [1, 2, 3].map((n) => ({ Id: `e${n}`, MessageBody: `{"n":${n}}`, MessageGroupId: `S${n % 2}` }));
    const sent = await world.client.send(new SendMessageBatchCommand({ QueueUrl: world.url('plain'), Entries }));
    const messages = await receive(world, 'plain');
    const left = await receive(world, 'plain');
    for (const { ReceiptHandle } of messages) await show(world, 'plain', ReceiptHandle);
    await drain(world, 'plain');
    return {
      sent: sent.Successful?.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]),
      failed: sent.Failed ?? [],
      messages: messages
        .map(({ Body, MD5OfBody, Attributes }) => [Body, MD5OfBody, Attributes?.ApproximateReceiveCount])
        .sort(),
      left: left.length,
      end: (await receive(world, 'plain')).length,
    };
  });

  alike('with a receipt that was overtaken by another', async (world) => {
    await world.client.send(new SendMessageCommand({ QueueUrl: world.url('plain'), MessageBody: 'a' }));
    const [first] = await receive(world, 'plain');
    await show(world, 'plain', first?.ReceiptHandle);
    const [second] = await receive(world, 'plain');
    const counts = [first, second].map((one) => one?.Attributes?.ApproximateReceiveCount);
    const isNew = first?.ReceiptHandle !== second?.ReceiptHandle && first?.MessageId === second?.MessageId;
    const batch = new DeleteMessageBatchCommand({
      QueueUrl: world.url('plain'),
      Entries: [{ Id: 'x', ReceiptHandle: second?.ReceiptHandle }],
    });
    const { Successful = [], Failed = [] } = await world.client.send(batch);
    return {
      counts,
      isNew,
      deleted: Successful.length,
      failed: Failed.length,
      left: (await receive(world, 'plain')).length,
    };
  });

  alike('with a message that fails too often: it goes to the dead-letter queue', async (world) => {
    await world.client.send(new SendMessageCommand({ QueueUrl: world.url('work'), MessageBody: 'poison' }));
    const seen: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const messages = await receive(world, 'work');
      seen.push(messages.length);
      for (const { ReceiptHandle } of messages) await show(world, 'work', ReceiptHandle);
    }
    const dead = await receive(world, 'dead');
    await drain(world, 'dead');
    return { seen, dead: dead.map(({ Body }) => Body) };
  });

  alike('with its depth, seen and hidden', async (world) => {
    for (const MessageBody of ['a', 'b', 'c'])
      await world.client.send(new SendMessageCommand({ QueueUrl: world.url('plain'), MessageBody }));
    const held = await receive(world, 'plain', { MaxNumberOfMessages: 2 });
    const names = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'VisibilityTimeout',
    ] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl: world.url('plain'), AttributeNames: [...names] });
    const { Attributes = {} } = await world.client.send(command);
    for (const { ReceiptHandle } of held) await show(world, 'plain', ReceiptHandle);
    await drain(world, 'plain');
    return names.map((name) => Attributes[name]);
  });

  alike('with what it refuses: no queue, no entries, a batch too long, more than ten', async (world) => {
    const send = (queue: string, bodies: readonly string[]) =>
      errorOf(
        world.client.send(
          new SendMessageBatchCommand({
            QueueUrl: world.url(queue),
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
      await errorOf(receive(world, 'plain', { MaxNumberOfMessages: 11 })),
    ];
  });
});

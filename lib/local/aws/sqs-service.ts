import { once } from 'node:events';
import * as v from 'valibot';
import { type AwsCall, AwsError, type AwsService, parseInput } from './aws-server.ts';
import { type Message, md5Of, type QueueDefinition, type Queues, systemAttributes } from './queues.ts';

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const Entry = v.object({
  Id: v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/)),
  MessageBody: v.pipe(v.string(), v.minLength(1)),
  MessageGroupId: v.optional(v.pipe(v.string(), v.regex(/^[!-~]{1,128}$/))),
  DelaySeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(900))),
  MessageAttributes: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.maxEntries(10))),
});
/** A text in characters of XML, which are all that a message has. */
const contents = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const visibilityTimeout = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(43_200));
const Receipt = v.object({ ReceiptHandle: v.string() });
const Identified = v.object({ Id: v.string() });
const Receive = v.object({
  MaxNumberOfMessages: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10)), 1),
  VisibilityTimeout: v.optional(visibilityTimeout),
  WaitTimeSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20)), 0),
});
const Hide = v.object({ ...Receipt.entries, VisibilityTimeout: visibilityTimeout });
const Batch = v.object({ Entries: v.array(v.unknown()) });
const Addressed = v.object({ QueueUrl: v.string() });

/** All messages of one SendMessageBatch together. */
const largestBatchBytes = 1_048_576;

type Entry = v.InferOutput<typeof Entry>;
type Action = (queue: QueueDefinition, body: unknown) => unknown;

/**
 * The SQS calls a function may make, over its JSON protocol.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_Operations.html
 */
export const sqsService = (queues: Queues, baseUrl: string): AwsService => {
  const actions = { ...singleActions(queues), ...batchActions(queues) };
  return ({ action, body }: AwsCall) => {
    if (action === 'GetQueueUrl') return { QueueUrl: queueUrl(baseUrl, queueNamed(queues, body).name) };
    const run = actions[action];
    if (!run) throw new AwsError('UnsupportedOperation', `The local stack does not know SQS ${action}.`);
    return run(queueAt(queues, body), body);
  };
};

/** A queue's address: what the template's `Ref` gives. */
export const queueUrl = (baseUrl: string, name: string): string => `${baseUrl}/000000000000/${name}`;

const singleActions = (queues: Queues): Record<string, Action | undefined> => ({
  SendMessage: (queue, body) => {
    const entry = parseInput(v.omit(Entry, ['Id']), body);
    return sendEntry(queues, queue, { ...entry, Id: '' });
  },
  ReceiveMessage: (queue, body) => receive(queues, queue, parseInput(Receive, body)),
  DeleteMessage: (queue, body) => void queues.remove(queue, parseInput(Receipt, body).ReceiptHandle),
  ChangeMessageVisibility: (queue, body) => {
    const { ReceiptHandle, VisibilityTimeout } = parseInput(Hide, body);
    if (queues.changeVisibility(queue, ReceiptHandle, VisibilityTimeout)) return;
    throw new AwsError('MessageNotInflight', 'The message is not in flight.');
  },
  GetQueueAttributes: (queue) => {
    const { visible, hidden } = queues.depth(queue);
    return {
      Attributes: {
        QueueArn: queue.arn,
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesNotVisible: String(hidden),
        VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
      },
    };
  },
  PurgeQueue: (queue) => queues.purge(queue),
});

const batchActions = (queues: Queues): Record<string, Action | undefined> => ({
  SendMessageBatch: (queue, body) => {
    const entries = readEntries(body).map((entry) => parseInput(Entry, entry));
    const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
    if (bytes > largestBatchBytes) {
      throw new AwsError('BatchRequestTooLong', `A batch must be shorter than ${largestBatchBytes} bytes.`);
    }
    return { Successful: entries.map((entry) => sendEntry(queues, queue, entry)), Failed: [] };
  },
  DeleteMessageBatch: (queue, body) =>
    perEntry(body, (entry) => {
      // Deleting twice is no failure, as in SQS.
      queues.remove(queue, parseInput(Receipt, entry).ReceiptHandle);
      return true;
    }),
  ChangeMessageVisibilityBatch: (queue, body) =>
    perEntry(body, (entry) => {
      const { ReceiptHandle, VisibilityTimeout } = parseInput(Hide, entry);
      return queues.changeVisibility(queue, ReceiptHandle, VisibilityTimeout);
    }),
});

const perEntry = (body: unknown, run: (entry: unknown) => boolean) => {
  const done = readEntries(body).map((entry) => ({ Id: parseInput(Identified, entry).Id, isDone: run(entry) }));
  return {
    Successful: done.flatMap(({ Id, isDone }) => (isDone ? [{ Id }] : [])),
    Failed: done.flatMap(({ Id, isDone }) =>
      isDone ? [] : [{ Id, SenderFault: true, Code: 'ReceiptHandleIsInvalid' }],
    ),
  };
};

/** Names, types and values of attributes count, too. */
const entryBytes = ({ MessageBody, MessageAttributes = {} }: Entry): number =>
  Object.entries(MessageAttributes)
    .flatMap(([name, value]) => [name, ...Object.values(Object(value))])
    .reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), Buffer.byteLength(MessageBody));

const sendEntry = (queues: Queues, queue: QueueDefinition, entry: Entry) => {
  if (!contents.test(entry.MessageBody)) {
    throw new AwsError('InvalidMessageContents', 'A message has characters that are not allowed.');
  }
  if (entryBytes(entry) > queue.maximumMessageBytes) {
    throw new AwsError('InvalidParameterValue', `A message must be shorter than ${queue.maximumMessageBytes} bytes.`);
  }
  const { messageId, md5 } = queues.send(queue, {
    body: entry.MessageBody,
    groupId: entry.MessageGroupId,
    delaySeconds: entry.DelaySeconds,
    attributes: entry.MessageAttributes,
  });
  return { ...(entry.Id && { Id: entry.Id }), MessageId: messageId, MD5OfMessageBody: md5 };
};

const receive = async (queues: Queues, queue: QueueDefinition, options: v.InferOutput<typeof Receive>) => {
  const take = () => queues.receive(queue, options.MaxNumberOfMessages, options.VisibilityTimeout);
  const found = take();
  if (found.length > 0 || options.WaitTimeSeconds === 0) return { Messages: found.map(wireMessage) };
  const signal = AbortSignal.timeout(options.WaitTimeSeconds * 1000);
  while (!signal.aborted) {
    await once(queues.arrivals, 'arrival', { signal }).catch(() => undefined);
    const arrived = take();
    if (arrived.length > 0) return { Messages: arrived.map(wireMessage) };
  }
  return {};
};

const wireMessage = (message: Message) => ({
  MessageId: message.messageId,
  ReceiptHandle: message.receiptHandle,
  Body: message.body,
  MD5OfBody: md5Of(message.body),
  Attributes: systemAttributes(message),
  MessageAttributes: message.attributes,
});

const readEntries = (body: unknown): unknown[] => {
  const { Entries } = parseInput(Batch, body);
  if (Entries.length === 0) throw new AwsError('EmptyBatchRequest', 'The batch has no entries.');
  if (Entries.length > 10) throw new AwsError('TooManyEntriesInBatchRequest', 'A batch takes ten entries at most.');
  const ids = Entries.map((entry) => parseInput(Identified, entry).Id);
  if (new Set(ids).size === ids.length) return Entries;
  throw new AwsError('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same Id.');
};

const queueAt = (queues: Queues, body: unknown): QueueDefinition =>
  knownQueue(queues, new URL(parseInput(Addressed, body).QueueUrl, 'http://local').pathname.split('/').at(-1) ?? '');

const queueNamed = (queues: Queues, body: unknown): QueueDefinition =>
  knownQueue(queues, parseInput(v.object({ QueueName: v.string() }), body).QueueName);

const knownQueue = (queues: Queues, name: string): QueueDefinition => {
  const queue = queues.find(name);
  if (!queue) throw new AwsError('QueueDoesNotExist', `The queue ${name} does not exist.`);
  return queue;
};

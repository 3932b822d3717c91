import { createHash } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request as requestOver } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MemoryCall } from './memory-table.ts';
import { theSecret } from './tls-dynamo.ts';

/** One request that really went over the wire, the SDK's repetitions included. */
export type Call = {
  /** As AWS names it: `BatchGetItem`, `SendMessageBatch`. */
  operation: string;
  /** Items that a Query looked at to show them, shown or not. */
  itemsRead: number;
  /** Items that a Query counted, or of which it asked for the position alone. */
  itemsCounted: number;
  /** Items asked for by their keys, there or not. */
  keysRead: number;
  /** Read units that DynamoDB says a read took; 0 for all else. */
  readUnits: number;
  /** Messages sent. */
  messages: number;
};

export type CallCounter = AsyncDisposable & {
  /** The environment in which functions are counted. */
  environment: Readonly<Record<string, string>>;
  /** Answers the calls since it was asked last. */
  take(): Call[];
  /**
   * Passes DynamoDB's calls on unread from now on, to the emulator there: reading and weighing long answers takes longer than what is
   * measured.
   */
  rest(url: string): void;
};

type Entry = { Id: string; MessageBody: string };
type Sent = {
  Entries?: Entry[];
  RequestItems?: Record<string, { Keys?: unknown[] }>;
  Select?: string;
  ProjectionExpression?: string;
};
type Capacity = { CapacityUnits?: number };
type Received = { ScannedCount?: number; ConsumedCapacity?: Capacity | Capacity[] };

const reads = new Set(['GetItem', 'BatchGetItem', 'Query']);

/** A read is asked to say what it took; the functions themselves have no use for that. */
const asking = (operation: string, body: Buffer, sent: Sent): Buffer =>
  reads.has(operation) ? Buffer.from(JSON.stringify({ ...sent, ReturnConsumedCapacity: 'TOTAL' })) : body;

const readStream = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());

/** Counts the messages of each operation that was sent, by operation: `{Query: 1}`. */
export const countCalls = (calls: readonly Call[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { operation } of calls) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
};

/** The sum of one number over calls. */
export const sumCalls = (
  calls: readonly Call[],
  field: 'itemsRead' | 'itemsCounted' | 'keysRead' | 'readUnits' | 'messages',
): number => calls.reduce((sum, call) => sum + call[field], 0);

/** Returns what one call was, by its request and answer. */
const toCall = (operation: string, sent: Sent, { ScannedCount = 0, ConsumedCapacity = [] }: Received): Call => {
  const asked = Object.values(sent.RequestItems ?? {}).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
  const isCounting = sent.Select === 'COUNT' || sent.ProjectionExpression === 'listSk';
  const looked = operation === 'Query' ? ScannedCount : 0;
  return {
    operation,
    itemsRead: isCounting ? 0 : looked,
    itemsCounted: isCounting ? looked : 0,
    keysRead: operation === 'GetItem' ? 1 : asked,
    readUnits: [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0),
    messages: sent.Entries?.length ?? 0,
  };
};

/** Counts what the calls of a table in memory read, see `startMemoryTable`: no request goes over a wire there. */
export const createReadCounter = (): { onCall: MemoryCall; take: () => Call[] } => {
  let calls: Call[] = [];
  return {
    onCall: (command, input, output) => {
      const operation = command.replace('Command', '').replace(/^(Batch)?Get$/, '$&Item');
      calls.push(toCall(operation, input as Sent, output as Received));
    },
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
};

/** Returns the answers of services other than DynamoDB: a secret, and queues that accept every message. */
const answerTo = (operation: string, { Entries = [] }: Sent): object =>
  operation === 'GetSecretValue'
    ? { Name: 'secret', SecretString: JSON.stringify({ current: 'k1', k1: theSecret }) }
    : {
        Successful: Entries.map(({ Id, MessageBody }) => ({
          Id,
          MessageId: Id,
          MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
        })),
        Failed: [],
      };

/**
 * Stands between the functions and AWS: passes DynamoDB's calls on to the emulator, answers the rest, counts all of them.
 * On the wire, because a wrapper around the client would not see what the SDK sends again by itself.
 */
export const startCallCounter = async (dynamoUrl: string): Promise<CallCounter> => {
  const agent = new Agent({ keepAlive: true });
  let calls: Call[] = [];
  let restsAt: string | undefined;
  const passOn = async (incoming: IncomingMessage, body: Buffer): Promise<{ status: number; answer: Buffer }> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { 'x-amz-target': target = '', authorization = '', 'x-amz-date': date = '' } = incoming.headers;
    const headers = { 'x-amz-target': target, authorization, 'x-amz-date': date };
    const options = { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/x-amz-json-1.0' } };
    requestOver(restsAt ?? dynamoUrl, options, resolve)
      .on('error', reject)
      .end(body);
    const reply = await promise;
    return { status: reply.statusCode ?? 500, answer: await readStream(reply) };
  };
  const handle = async (incoming: IncomingMessage) => {
    const [service = '', operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    const body = await readStream(incoming);
    if (restsAt !== undefined && service.startsWith('DynamoDB')) return passOn(incoming, body);
    const sent = JSON.parse(body.toString()) as Sent;
    const isDynamo = service.startsWith('DynamoDB');
    const result = isDynamo
      ? await passOn(incoming, asking(operation, body, sent))
      : { status: 200, answer: Buffer.from(JSON.stringify(answerTo(operation, sent))) };
    calls.push(toCall(operation, sent, JSON.parse(result.answer.toString() || '{}') as Received));
    return result;
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming).then(
      ({ status, answer }) => outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer),
      (error: Error) => outgoing.writeHead(502).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_ENDPOINT_URL_DYNAMODB: url,
      // The SDK calls the host in a queue's URL, whatever its endpoint.
      BACK_TESTS_QUEUE_URL: `${url}/000000000000/back-tests`,
      DELIVERY_QUEUE_URL: `${url}/000000000000/delivery`,
      ENCRYPTION_SECRET_ID: 'encryption',
      LOOKUPS_QUEUE_URL: `${url}/000000000000/lookups`,
      PROVIDER_A_SECRET_ID: 'provider-a',
      PROVIDER_B_SECRET_ID: 'provider-b',
      ALLOW_LOOPBACK_HTTP: 'true',
    },
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    rest: (url) => {
      restsAt = url;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

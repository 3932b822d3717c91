import { isDeepStrictEqual } from 'node:util';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { region } from '../template/resolver.ts';

/** A change of an item, as a function of the stream gets it. */
export type Change = {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: '1.1';
  eventSource: 'aws:dynamodb';
  awsRegion: string;
  eventSourceARN: string;
  dynamodb: { SequenceNumber: string; [field: string]: unknown };
};

/** A piece of a stream, the same for all who read it there. */
export type StreamPage = {
  /** Its changes, without the records of writes that changed nothing. */
  changes: readonly Change[];
  /** The number of its last record, after which to read on. */
  end: string;
  /** Up to when it has what was written, in milliseconds of the system's clock. */
  upTo: number;
  /** Whether there may be more behind it already. */
  isFull: boolean;
};

/** A table's stream. It is read and parsed once, however many functions it feeds. */
export type Stream = {
  arn: string;
  shardId: string;
  /** What comes after a record; undefined: the first there is. Undefined if a reading that began after this call finds nothing. */
  after(sequenceNumber: string | undefined): Promise<StreamPage | undefined>;
  close(): void;
};

export type StreamPlace = {
  url: string;
  arn: string;
  /** A number that is another one after every write; undefined where nobody knows. Saves asking for what cannot be there. */
  version: () => number | undefined;
};

/** As many as a batch of the function that takes most. */
const pageSize = 500;
/** For functions that are a little behind the others; who is further behind reads for itself. */
const keptPages = 4;

type Position = string | undefined;
type Read = { page: StreamPage | undefined; iterator: string | undefined };

/** Opens a table's stream. */
export const openStream = async ({ url, arn, version }: StreamPlace): Promise<Stream> => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBStreamsClient({ endpoint: url, region, credentials, maxAttempts: 2 });
  // It writes nothing, yet prepares every record it could write.
  client.middlewareStack.remove('loggerMiddleware');
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  const pages = new Map<Position, StreamPage>();
  const underWay = new Map<Position, Promise<StreamPage | undefined>>();
  /** Where the last reading ended, and the version of the tables at which nothing was behind it. */
  let next: { position: Position; iterator: string | undefined } | undefined;
  let end: { position: Position; version: number } | undefined;

  const read = async (position: Position): Promise<StreamPage | undefined> => {
    const [current, begun] = [version(), Date.now()];
    const iterator = next?.position === position ? next?.iterator : undefined;
    const { page, iterator: following } = await readPage({ client, arn, shardId }, position, iterator, begun);
    const reached = page ? page.end : position;
    next = { position: reached, iterator: following };
    if (!page?.isFull && current !== undefined) end = { position: reached, version: current };
    if (page) keep(pages, position, page);
    return page;
  };
  const begin = (position: Position): Promise<StreamPage | undefined> => {
    const reading = read(position).finally(() => underWay.delete(position));
    underWay.set(position, reading);
    return reading;
  };
  const isAtEnd = (position: Position) => end !== undefined && end.position === position && end.version === version();
  return {
    arn,
    shardId,
    after: async (position) => {
      const known = pages.get(position);
      if (known || isAtEnd(position)) return known;
      // One that is under way and finds nothing may have begun too early.
      return (await underWay.get(position)) ?? underWay.get(position) ?? begin(position);
    },
    close: () => client.destroy(),
  };
};

const keep = (pages: Map<Position, StreamPage>, position: Position, page: StreamPage): void => {
  pages.set(position, page);
  for (const oldest of pages.keys()) {
    if (pages.size <= keptPages) return;
    pages.delete(oldest);
  }
};

type Shard = { client: DynamoDBStreamsClient; arn: string; shardId: string };

const readPage = async (
  shard: Shard,
  position: Position,
  iterator: string | undefined,
  begun: number,
): Promise<Read> => {
  const { Records = [], NextShardIterator } = await recordsAfter(shard, position, iterator);
  const last = Records.at(-1);
  const end = last?.dynamodb?.SequenceNumber;
  if (end === undefined) return { page: undefined, iterator: NextShardIterator };
  const changes = Records.map((record) => changeOf(record, shard.arn)).filter(changesSomething);
  const isFull = Records.length >= pageSize;
  // What comes after the last record may have been written within the same instant.
  return { page: { changes, end, isFull, upTo: isFull ? createdAt(last) - 1 : begun }, iterator: NextShardIterator };
};

/** When a change was made by the system's clock, in milliseconds; streams tell it to the second. */
const createdAt = (record: StreamRecord | undefined): number =>
  record?.dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;

const recordsAfter = async ({ client, arn, shardId }: Shard, position: Position, iterator: string | undefined) => {
  const open = async (from: Position) => {
    const start = from
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: from }
      : { ShardIteratorType: 'TRIM_HORIZON' as const };
    const input = { StreamArn: arn, ShardId: shardId, ...start };
    return (await client.send(new GetShardIteratorCommand(input))).ShardIterator;
  };
  const records = (ShardIterator: string | undefined) =>
    client.send(new GetRecordsCommand({ ShardIterator, Limit: pageSize }));
  try {
    return await records(iterator ?? (await open(position)));
  } catch (error) {
    // Records live for a day; what is left is what there is.
    if (error instanceof TrimmedDataAccessException) return records(await open(undefined));
    if (error instanceof ExpiredIteratorException) return records(await open(position));
    throw error;
  }
};

const changeOf = ({ eventID = '', eventName, dynamodb }: StreamRecord, eventSourceARN: string): Change => ({
  eventID,
  eventName: eventName ?? 'MODIFY',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: region,
  eventSourceARN,
  dynamodb: {
    ...dynamodb,
    SequenceNumber: dynamodb?.SequenceNumber ?? '',
    ApproximateCreationDateTime: Math.floor((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
  },
});

/** The emulator records writes that change nothing; DynamoDB does not. */
const changesSomething = ({ eventName, dynamodb }: Change): boolean =>
  eventName !== 'MODIFY' || !isDeepStrictEqual(dynamodb['NewImage'], dynamodb['OldImage']);

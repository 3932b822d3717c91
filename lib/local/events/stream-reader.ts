import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { region } from '../template/resolver.ts';

/** A change of an item, as a function of the stream gets it. */
export type Change = {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: '1.1';
  eventSource: 'aws:dynamodb';
  awsRegion: string;
  eventSourceARN: string;
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number; [field: string]: unknown };
};

/** A piece of a stream, the same for all who read it there. */
export type StreamPage = {
  /** Its changes, without the records of writes that changed nothing. */
  changes: readonly Change[];
  /** The number of its last record, after which to read on. */
  end: string;
  /** Up to when it has what was written, in milliseconds of the system's clock. */
  upTo: number;
  /** True if there may be more behind it already. */
  isFull: boolean;
};

/** A table's stream. It is read and parsed once, however many functions it feeds. */
export type Stream = {
  arn: string;
  shardId: string;
  /** Reads after a record; undefined: from the first there is. Undefined if a read that began after this call finds nothing. */
  after(sequenceNumber: string | undefined): Promise<StreamPage | undefined>;
};

export type StreamPlace = {
  url: string;
  arn: string;
  /** A number that changes with every write; undefined if it is not known. Saves asking for what cannot be there. */
  version: () => number | undefined;
};

/** As many as a batch of the function that takes most. */
const pageSize = 500;
/** For functions that are a little behind the others; one that is further behind reads for itself. */
const keptPages = 4;

type Position = string | undefined;
type Read = { page: StreamPage | undefined; iterator: string | undefined };

/** Opens a table's stream. */
export const openStream = async ({ url, arn, version }: StreamPlace): Promise<Stream> => {
  const { StreamDescription } = v.parse(Description, await call(url, 'DescribeStream', { StreamArn: arn }));
  const shardId = StreamDescription.Shards[0]?.ShardId ?? '';
  const pages = new Map<Position, StreamPage>();
  const underWay = new Map<Position, Promise<StreamPage | undefined>>();
  /** Where the last reading ended, and the version of the tables at which nothing was behind it. */
  let next: { position: Position; iterator: string | undefined } | undefined;
  let end: { position: Position; version: number } | undefined;

  const read = async (position: Position): Promise<StreamPage | undefined> => {
    const [current, begun] = [version(), Date.now()];
    const iterator = next?.position === position ? next?.iterator : undefined;
    const { page, iterator: following } = await readPage({ url, arn, shardId }, position, iterator, begun);
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
  };
};

const keep = (pages: Map<Position, StreamPage>, position: Position, page: StreamPage): void => {
  pages.set(position, page);
  for (const oldest of pages.keys()) {
    if (pages.size <= keptPages) return;
    pages.delete(oldest);
  }
};

/** The parts of the replies that are looked at. What a record holds goes to functions as it is. */
const Description = v.object({ StreamDescription: v.object({ Shards: v.array(v.object({ ShardId: v.string() })) }) });
const Iterator = v.object({ ShardIterator: v.string() });
const Records = v.object({ Records: v.array(v.unknown()), NextShardIterator: v.optional(v.string()) });
const Failure = v.object({ __type: v.string(), message: v.optional(v.string()) });

/** A refusal of the emulator, by the last part of its type. */
class StreamError extends Error {
  override readonly name: string;
  constructor(type: string, message = type) {
    super(message);
    this.name = type;
  }
}

/**
 * Calls DynamoDB Streams. Not with the SDK, which makes objects of every attribute of every record, only for them to be written back
 * as the JSON that they were.
 */
const call = async (url: string, action: string, body: object): Promise<unknown> => {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${action}`,
      // An emulator only checks that there is one.
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      'x-amz-date': '20260101T000000Z',
    },
    body: JSON.stringify(body),
  };
  // An emulator closes a connection that has been idle, perhaps just as it is used again. Asking twice changes nothing there.
  const response = await fetch(url, request).catch(() => fetch(url, request));
  const reply: unknown = await response.json();
  if (response.ok) return reply;
  const { __type, message } = v.parse(Failure, reply);
  throw new StreamError(__type.split('#').at(-1) ?? '', message);
};

type Shard = { url: string; arn: string; shardId: string };

const readPage = async (
  shard: Shard,
  position: Position,
  iterator: string | undefined,
  begun: number,
): Promise<Read> => {
  const { Records, NextShardIterator } = await recordsAfter(shard, position, iterator);
  const records = Records.map((record) => readChange(record, shard.arn));
  const last = records.at(-1);
  if (!last) return { page: undefined, iterator: NextShardIterator };
  const isFull = records.length >= pageSize;
  const page = {
    changes: records.filter(changesSomething),
    end: last.dynamodb.SequenceNumber,
    isFull,
    // Records after the last one may have been written within the same second, which is the precision of streams.
    upTo: isFull ? last.dynamodb.ApproximateCreationDateTime * 1000 - 1 : begun,
  };
  return { page, iterator: NextShardIterator };
};

const recordsAfter = async ({ url, arn, shardId }: Shard, position: Position, iterator: string | undefined) => {
  const open = async (from: Position) => {
    const start = from
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: from }
      : { ShardIteratorType: 'TRIM_HORIZON' };
    const input = { StreamArn: arn, ShardId: shardId, ...start };
    return v.parse(Iterator, await call(url, 'GetShardIterator', input)).ShardIterator;
  };
  const records = async (ShardIterator: string) =>
    v.parse(Records, await call(url, 'GetRecords', { ShardIterator, Limit: pageSize }));
  try {
    return await records(iterator ?? (await open(position)));
  } catch (error) {
    const name = error instanceof StreamError ? error.name : '';
    // Records live for a day; what is left is what there is.
    if (name === 'TrimmedDataAccessException') return records(await open(undefined));
    if (name === 'ExpiredIteratorException') return records(await open(position));
    throw error;
  }
};

const Record = v.looseObject({
  eventID: v.optional(v.string(), ''),
  eventName: v.picklist(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: v.looseObject({ SequenceNumber: v.string(), ApproximateCreationDateTime: v.number() }),
});

const readChange = (record: unknown, eventSourceARN: string): Change => {
  const { eventID, eventName, dynamodb } = v.parse(Record, record);
  return {
    eventID,
    eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: Math.floor(dynamodb.ApproximateCreationDateTime) },
  };
};

/** The emulator records writes that change nothing; DynamoDB does not. */
const changesSomething = ({ eventName, dynamodb }: Change): boolean =>
  eventName !== 'MODIFY' || !isDeepStrictEqual(dynamodb['NewImage'], dynamodb['OldImage']);

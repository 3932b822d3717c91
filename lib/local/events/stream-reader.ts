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

export type StreamReader = {
  arn: string;
  shardId: string;
  /** Up to `limit` changes after the last ones it gave; an empty list when there are none now. */
  next(limit: number): Promise<Change[]>;
  /** Goes back to the change after this one; undefined: to the first there is. */
  seek(sequenceNumber: string | undefined): void;
  close(): void;
};

export type StreamPlace = {
  url: string;
  arn: string;
  /** The change after which to read on; undefined: the beginning. */
  sequenceNumber: string | undefined;
  /** A number that is another one after every write; undefined where nobody knows. Saves asking for what cannot be there. */
  version: () => number | undefined;
};

/** Reads a table's stream. */
export const openStream = async ({ url, arn, sequenceNumber, version }: StreamPlace): Promise<StreamReader> => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBStreamsClient({ endpoint: url, region, credentials, maxAttempts: 2 });
  // It writes nothing, yet prepares every record it could write.
  client.middlewareStack.remove('loggerMiddleware');
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  let iterator: string | undefined;
  let position = sequenceNumber;
  /** The version at which the stream was seen at its end. */
  let readUpTo: number | undefined;
  const open = async (): Promise<string | undefined> => {
    const start = position
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position }
      : { ShardIteratorType: 'TRIM_HORIZON' as const };
    const input = { StreamArn: arn, ShardId: shardId, ...start };
    return (await client.send(new GetShardIteratorCommand(input))).ShardIterator;
  };
  const read = async (limit: number): Promise<StreamRecord[]> => {
    iterator ??= await open();
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }),
    );
    iterator = NextShardIterator;
    position = Records.at(-1)?.dynamodb?.SequenceNumber ?? position;
    return Records;
  };
  return {
    arn,
    shardId,
    next: async (limit) => {
      const current = version();
      if (current !== undefined && current === readUpTo) return [];
      try {
        const records = await read(limit);
        readUpTo = records.length === 0 ? current : undefined;
        return records.map((record) => changeOf(record, arn));
      } catch (error) {
        iterator = undefined;
        readUpTo = undefined;
        // Records live for a day; what is left is what there is.
        if (error instanceof TrimmedDataAccessException) position = undefined;
        else if (!(error instanceof ExpiredIteratorException)) throw error;
        return (await read(limit)).map((record) => changeOf(record, arn));
      }
    },
    seek: (to) => {
      iterator = undefined;
      readUpTo = undefined;
      position = to;
    },
    close: () => client.destroy(),
  };
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
export const changesSomething = ({ eventName, dynamodb }: Change): boolean =>
  eventName !== 'MODIFY' || !isDeepStrictEqual(dynamodb['NewImage'], dynamodb['OldImage']);

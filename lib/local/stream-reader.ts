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
import { region } from './resolver.ts';

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

/** Reads a table's stream from the change after `sequenceNumber`, or from its beginning. */
export const openStream = async (url: string, arn: string, sequenceNumber?: string): Promise<StreamReader> => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBStreamsClient({ endpoint: url, region, credentials, maxAttempts: 2 });
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn }));
  const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
  let iterator: string | undefined;
  let position = sequenceNumber;
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
      try {
        return (await read(limit)).map((record) => changeOf(record, arn));
      } catch (error) {
        iterator = undefined;
        // Records live for a day; what is left is what there is.
        if (error instanceof TrimmedDataAccessException) position = undefined;
        else if (!(error instanceof ExpiredIteratorException)) throw error;
        return (await read(limit)).map((record) => changeOf(record, arn));
      }
    },
    seek: (to) => {
      iterator = undefined;
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

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamedValue } from 'aws-lambda';
import type { Item } from './table.ts';

/** An item before and after one write, as the table's stream reports it; undefined where there was, or is, none. */
export type StreamChange = { before: Item | undefined; after: Item | undefined };

/** Reads a record of the stream. */
export const changeOf = ({ dynamodb }: DynamoDBRecord): StreamChange => ({
  before: dynamodb?.OldImage && itemOf(dynamodb.OldImage),
  after: dynamodb?.NewImage && itemOf(dynamodb.NewImage),
});

/** Lambda's typings describe the same notation as the SDK's, only less exactly. */
const itemOf = (image: Record<string, StreamedValue>): Item => unmarshall(image as Record<string, AttributeValue>);

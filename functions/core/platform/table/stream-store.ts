import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamedValue } from 'aws-lambda';
import type { Item } from './table.ts';

/** An item before and after one write, as the table's stream reports it; undefined where there was, or is, none. */
export type StreamChange = { before: Item | undefined; after: Item | undefined };

/** Reads a record of the stream. */
export const toStreamChange = ({ dynamodb }: DynamoDBRecord): StreamChange => ({
  before: dynamodb?.OldImage && fromImage(dynamodb.OldImage),
  after: dynamodb?.NewImage && fromImage(dynamodb.NewImage),
});

/** Lambda's typings describe the same notation as the SDK's, only less exactly. */
const fromImage = (image: Record<string, StreamedValue>): Item => unmarshall(image as Record<string, AttributeValue>);

import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type AwsError, toError, toMeaning } from './answers.ts';
import type { Call } from './random-calls.ts';

const commands = {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} as const;

/** The answer of DynamoDB, or of an emulator, to a call. `table`: its name, if it is not the usual one. */
export const askClient = async (
  client: Pick<DynamoDBDocumentClient, 'send'>,
  { name, input }: Call,
  table?: string,
): Promise<unknown> => {
  try {
    const command = new commands[name](input as never);
    return toMeaning(await client.send(command as never), table);
  } catch (error) {
    return toError(error as AwsError);
  }
};

import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { requireVariable } from '../operation/environment.ts';
import { clientSettings } from './aws.ts';
import { pause } from './pause-store.ts';

export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };
type Untabled<T> = T extends unknown ? Omit<T, 'TableName'> : never;
type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** One part of a transaction, without the table's name. */
export type Write = { [K in keyof TransactItem]: Untabled<NonNullable<TransactItem[K]>> };

/** A condition that did not hold. `items` has, by position, the item that failed it, if there is one. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly items: ReadonlyMap<number, Item | undefined>;
  constructor(items: ReadonlyMap<number, Item | undefined>, cause: unknown) {
    super(`A condition did not hold (parts ${[...items.keys()].join(', ')})`, { cause });
    this.items = items;
  }
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings), {
  marshallOptions: { removeUndefinedValues: true },
});
const TableName = () => requireVariable('TABLE_NAME');

/** One item, read consistently; undefined if there is none. */
export const getItem = async (Key: Key): Promise<Item | undefined> =>
  (await client.send(new GetCommand({ TableName: TableName(), Key, ConsistentRead: true }))).Item;

/** Several items in one call, consistently, in the order of their keys; at most 100 keys, none twice. */
export const getItems = async (keys: readonly Key[]): Promise<(Item | undefined)[]> => {
  const found = new Map<string, Item>();
  let pending: readonly Key[] = keys;
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    if (attempt > 8) throw new Error('DynamoDB keeps leaving keys unprocessed');
    const request = { [TableName()]: { Keys: [...pending], ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems: request }));
    for (const item of Responses?.[TableName()] ?? []) found.set(`${item['pk']}\n${item['sk']}`, item);
    pending = (UnprocessedKeys?.[TableName()]?.Keys ?? []).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  }
  return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
};

/** One page of a query; `LastEvaluatedKey` as DynamoDB gives it. */
export const queryItems = async (
  query: Untabled<QueryCommandInput>,
): Promise<{ items: Item[]; lastKey: Record<string, unknown> | undefined }> => {
  const { Items = [], LastEvaluatedKey } = await client.send(new QueryCommand({ TableName: TableName(), ...query }));
  return { items: Items, lastKey: LastEvaluatedKey };
};

/** The number of items on each page of a query; `isLast` if none follows. For queries that count. */
export async function* queryPages(query: Untabled<QueryCommandInput>): AsyncGenerator<{ n: number; isLast: boolean }> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new QueryCommand({
      TableName: TableName(),
      ...query,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const { Count = 0, LastEvaluatedKey } = await client.send(command);
    ExclusiveStartKey = LastEvaluatedKey;
    yield { n: Count, isLast: ExclusiveStartKey === undefined };
  } while (ExclusiveStartKey);
}

/** Puts an item, on a condition if one is given; retries if a transaction was in the way. Throws ConditionFailed. */
export const putItem = async (
  item: Item,
  condition?: Pick<
    UpdateCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >,
): Promise<void> => {
  const old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () => new PutCommand({ TableName: TableName(), Item: item, ...condition, ...old });
  await withoutConflict(() => client.send(command())).catch(rethrow);
};

/** Updates an item and returns its new state; retries if a transaction was in the way. Throws ConditionFailed with the item as it was. */
export const updateItem = async (update: Untabled<UpdateCommandInput>): Promise<Item> => {
  const returning = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () => new UpdateCommand({ TableName: TableName(), ...returning, ...update });
  return (await withoutConflict(() => client.send(command())).catch(rethrow)).Attributes ?? {};
};

/** Deletes an item on a condition; retries if a transaction was in the way. Throws ConditionFailed. */
export const deleteItem = async (one: NonNullable<Write['Delete']>): Promise<void> => {
  const old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () => new DeleteCommand({ TableName: TableName(), ...one, ...old });
  await withoutConflict(() => client.send(command())).catch(rethrow);
};

const mostConflicts = 6;

/** A single write may conflict with a transaction on its item, which the SDK does not retry: nothing was written, so this does. */
const withoutConflict = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt > mostConflicts || !(error instanceof TransactionConflictException)) throw error;
      await pause(attempt);
    }
  }
};

/**
 * Writes all or nothing. Throws ConditionFailed, naming each part whose condition did not hold; retries if only
 * another transaction was in the way.
 */
export const transact = async (writes: readonly Write[]): Promise<void> => {
  const TransactItems = writes.map((write) => withTableName(write));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return;
    } catch (error) {
      if (attempt > mostConflicts || !isPassing(error)) rethrow(error);
      await pause(attempt);
    }
  }
};

const withTableName = (write: Write): TransactItem => {
  const extra = { TableName: TableName(), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  return Object.fromEntries(Object.entries(write).map(([verb, part]) => [verb, { ...part, ...extra }]));
};

/** Only conflicts and throttling, no broken condition: the same transaction may succeed a moment later. */
const isPassing = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).every(
    ({ Code }) => Code !== 'ConditionalCheckFailed' && Code !== 'ValidationError',
  );

const rethrow = (error: unknown): never => {
  if (error instanceof ConditionalCheckFailedException) {
    throw new ConditionFailed(new Map([[0, plainItem(error)]]), error);
  }
  if (error instanceof TransactionCanceledException) {
    const failed = (error.CancellationReasons ?? []).flatMap((reason, index) =>
      reason.Code === 'ConditionalCheckFailed' ? [[index, plainItem(reason)] as const] : [],
    );
    if (failed.length > 0) throw new ConditionFailed(new Map(failed), error);
  }
  throw error;
};

/** lib-dynamodb leaves the items inside exceptions in DynamoDB's own notation. */
const plainItem = ({ Item: item }: Pick<CancellationReason, 'Item'>): Item | undefined => item && unmarshall(item);

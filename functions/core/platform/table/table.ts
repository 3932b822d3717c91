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
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { maskBeforeWriting } from '#core/kernel/card/mask-values.ts';
import { requireVariable } from '../operation/environment.ts';
import { clientSettings } from './aws.ts';
import type { Item, Key, TransactItem, Untabled, Write, Writes } from './item.ts';
import { pause } from './pause-store.ts';

export type { Item, Key, Write, Writes } from './item.ts';

/** A condition that did not hold. `item`: what a single write met; undefined if there is none, and for transactions. */
export class ConditionFailedError extends Error {
  override readonly name = 'ConditionFailedError';
  readonly item: Item | undefined;
  constructor(message: string, item: Item | undefined, cause: unknown) {
    super(message, { cause });
    this.item = item;
  }
}

type Met = { isFailed: boolean; item: Item | undefined };

/** The writes of a transaction whose conditions did not hold. `Name`: the names that the transaction was given. */
class TransactionConflict<Name extends string> extends ConditionFailedError {
  readonly #met: ReadonlyMap<string, readonly Met[]>;
  constructor(met: ReadonlyMap<string, readonly Met[]>, cause: unknown) {
    const failed = [...met].filter(([, parts]) => parts.some(({ isFailed }) => isFailed));
    super(`A condition did not hold (${failed.map(([name]) => name).join(', ')})`, undefined, cause);
    this.#met = met;
  }
  // Properties, not methods: a conflict may stand for one with fewer names, but not for one with more.
  /** Checks whether the write, or one of the group, failed its condition. */
  readonly on = (name: Name): boolean => (this.#met.get(name) ?? []).some(({ isFailed }) => isFailed);
  /** Checks whether no other write failed. */
  readonly onlyOn = (name: Name): boolean =>
    [...this.#met].every(([one, parts]) => one === name || !parts.some(({ isFailed }) => isFailed));
  /** The item that the write met; of a group, the first that one of its writes met. */
  readonly itemOf = (name: Name): Item | undefined => this.itemsOf(name).find((item) => item !== undefined);
  /** The items that the writes of a group met, in the order of the group; undefined for those whose condition held. */
  readonly itemsOf = (name: Name): readonly (Item | undefined)[] => (this.#met.get(name) ?? []).map(({ item }) => item);
}

export type { TransactionConflict };

const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings), {
  marshallOptions: { removeUndefinedValues: true },
});
const TableName = () => requireVariable('TABLE_NAME');

/** One item, read consistently; undefined if there is none. */
export const getItem = async (Key: Key): Promise<Item | undefined> =>
  (await client.send(new GetCommand({ TableName: TableName(), Key, ConsistentRead: true }))).Item;

/** DynamoDB's limit for one call. */
const keysPerCall = 100;

/** Several items, consistently, in the order of their keys, none twice; one call per 100 keys, all at once. */
export const getItems = async (keys: readonly Key[]): Promise<(Item | undefined)[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / keysPerCall) }, (_, index) =>
    getBatch(keys.slice(index * keysPerCall, (index + 1) * keysPerCall)),
  );
  return (await Promise.all(batches)).flat();
};

const getBatch = async (keys: readonly Key[]): Promise<(Item | undefined)[]> => {
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

/** Puts an item, on a condition if one is given; retries if a transaction was in the way. Throws ConditionFailedError. */
export const putItem = async (
  item: Item,
  condition?: Pick<
    UpdateCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >,
): Promise<void> => {
  const old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () =>
    new PutCommand({ TableName: TableName(), ...maskBeforeWriting({ Item: item, ...condition }), ...old });
  await withoutConflict(() => client.send(command())).catch(rethrow);
};

/** Updates an item and returns its new state; retries if a transaction was in the way. Throws ConditionFailedError with the item as it was. */
export const updateItem = async (update: Untabled<UpdateCommandInput>): Promise<Item> => {
  const masked = { ...update, ...maskBeforeWriting({ ExpressionAttributeValues: update.ExpressionAttributeValues }) };
  const returning = { ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () => new UpdateCommand({ TableName: TableName(), ...returning, ...masked });
  return (await withoutConflict(() => client.send(command())).catch(rethrow)).Attributes ?? {};
};

/** Deletes an item on a condition; retries if a transaction was in the way. Throws ConditionFailedError. */
export const deleteItem = async (one: NonNullable<Write['Delete']>): Promise<void> => {
  const old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = () => new DeleteCommand({ TableName: TableName(), ...one, ...old });
  await withoutConflict(() => client.send(command())).catch(rethrow);
};

const maxConflicts = 6;

/** A single write may conflict with a transaction on its item, which the SDK does not retry: nothing was written, so this does. */
const withoutConflict = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt > maxConflicts || !(error instanceof TransactionConflictException)) throw error;
      await pause(attempt);
    }
  }
};

/** Writes all or nothing. Throws ConditionFailedError if a condition did not hold; retries if only another transaction was in the way. */
export const transact = async (writes: Writes): Promise<void> => {
  const conflict = await tryTransact(writes);
  if (conflict) throw conflict;
};

/** Does the same as `transact`, but returns the conflict, which tells by name which conditions did not hold. */
export const tryTransact = async <const Given extends Writes>(
  writes: Given,
): Promise<TransactionConflict<keyof Given & string> | undefined> => {
  const named = Object.entries(writes).flatMap(([name, given]) =>
    [given ?? []].flat().map((write: Write) => ({ name, part: withTableName(write) })),
  );
  const command = () => new TransactWriteCommand({ TransactItems: named.map(({ part }) => part) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(command());
      return undefined;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      if (reasons.some(isFailedCondition)) {
        const met = named.map(({ name }, index) => ({ name, ...readCondition(reasons[index]) }));
        return new TransactionConflict(
          Map.groupBy(met, ({ name }) => name),
          error,
        );
      }
      if (attempt > maxConflicts || !isTransient(error)) throw error;
      await pause(attempt);
    }
  }
};

const isFailedCondition = ({ Code }: CancellationReason): boolean => Code === 'ConditionalCheckFailed';

const readCondition = (reason: CancellationReason = {}): Met => {
  const isFailed = isFailedCondition(reason);
  return { isFailed, item: isFailed ? plainItem(reason) : undefined };
};

const withTableName = (write: Write): TransactItem => {
  const extra = { TableName: TableName(), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  return Object.fromEntries(
    Object.entries(maskBeforeWriting(write)).map(([verb, part]) => [verb, { ...part, ...extra }]),
  );
};

/** Only conflicts and throttling: the same transaction may succeed a moment later. */
const isTransient = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).every(({ Code }) => Code !== 'ValidationError');

const rethrow = (error: unknown): never => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  throw new ConditionFailedError('A condition did not hold', plainItem(error), error);
};

/** lib-dynamodb leaves the items inside exceptions in DynamoDB's own notation. */
const plainItem = ({ Item: item }: Pick<CancellationReason, 'Item'>): Item | undefined => item && unmarshall(item);

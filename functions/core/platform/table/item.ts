import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** A row of the table, as rows and stores name it. */
export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };
/** One text for a key, which names its row in maps and sets. */
export const rowId = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk}\n${sk}`;

/** The input of a DynamoDB command, without the table's name. */
export type Untabled<T> = T extends unknown ? Omit<T, 'TableName'> : never;
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** One part of a transaction. */
export type Write = { [K in keyof TransactItem]: Untabled<NonNullable<TransactItem[K]>> };

/** The writes of a transaction by name. A list is a group with one name; undefined leaves a name out. */
export type Writes = Readonly<Record<string, Write | readonly Write[] | undefined>>;

/** The condition of a write that there is no such row. */
export const requireNew = { ConditionExpression: 'attribute_not_exists(pk)' } as const;

/** The condition of a write that the row still has the version that was read. `attribute`: what holds it, if not the row itself. */
export const requireVersion = (version: number, attribute?: string) => ({
  ConditionExpression: attribute === undefined ? '#version = :seen' : '#attribute.#version = :seen',
  ExpressionAttributeNames: { '#version': 'version', ...(attribute !== undefined && { '#attribute': attribute }) },
  ExpressionAttributeValues: { ':seen': version },
});

/** The part of a transaction that writes a row. Its condition fails if there is one. */
export const newRow = (item: Item): Write => ({ Put: { Item: item, ...requireNew } });

/** The part that replaces a row. Its condition fails if the row no longer has the version that was read; see `requireVersion`. */
export const changedRow = (item: Item, version: number, attribute?: string): Write => ({
  Put: { Item: item, ...requireVersion(version, attribute) },
});

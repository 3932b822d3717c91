import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { clientSettings } from '#core/platform/table/aws.ts';
import type { Clock } from '../clock.ts';
import { openStream, type Stream } from '../events/stream-reader.ts';
import { region } from '../template/resolver.ts';
import { openEmulatorFile } from './emulator-file.ts';
import type { TableDefinition } from './table-definition.ts';

export type Tables = {
  client: DynamoDBClient;
  names: readonly string[];
  /** Closes the emulator's file. */
  close(): void;
  /** Makes the tables that are not there. */
  create(): Promise<void>;
  /** Deletes and recreates them: empty, with streams of their own. */
  clear(): Promise<void>;
  /** The stream of a table as it is now. */
  openStream(tableName: string): Promise<Stream>;
  /** A number that changes with every write to the tables; undefined if the emulator is not the stack's own. */
  version(): number | undefined;
  /** Deletes a stream's records before the one with this number: all readers have read them. */
  forgetStream(tableName: string, before: number): void;
  /** Deletes what has outlived its time to live by the stack's clock; returns how many items that were. */
  expire(): Promise<number>;
};

/** `file` is the emulator's own, if it is the one the stack runs. */
export type Emulator = { url: string; file?: string | undefined };

/** The stack's tables in a DynamoDB emulator. */
export const openTables = ({ url, file }: Emulator, clock: Clock, definitions: readonly TableDefinition[]): Tables => {
  const client = new DynamoDBClient({
    ...clientSettings,
    endpoint: url,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const create = async () => {
    for (const definition of definitions) await createTable(client, definition);
    own?.indexStream();
  };
  const own = file === undefined ? undefined : openEmulatorFile(file);
  const version = () => own?.version();
  return {
    version,
    forgetStream: (tableName, before) => own?.forgetStream(tableName, before),
    close: () => {
      client.destroy();
      own?.close();
    },
    client,
    names: definitions.map(({ TableName }) => TableName),
    create,
    clear: async () => {
      for (const { TableName } of definitions) {
        await client.send(new DeleteTableCommand({ TableName }));
        // The emulator keeps the stream of a deleted table. Without this, functions would count rows that no longer exist.
        own?.emptyStream(TableName);
      }
      await create();
    },
    openStream: async (tableName) => {
      const arn = (await describe(client, tableName))?.LatestStreamArn;
      if (!arn) throw new Error(`The table ${tableName} has no stream.`);
      return openStream({ url, arn, version });
    },
    expire: async () => {
      let count = 0;
      for (const definition of definitions) count += await expireTable(client, definition, clock.now());
      return count;
    },
  };
};

const describe = async (client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const createTable = async (client: DynamoDBClient, definition: TableDefinition): Promise<void> => {
  const { TableName, KeySchema, AttributeDefinitions, StreamSpecification } = definition;
  if (await describe(client, TableName)) return;
  const input: CreateTableCommandInput = {
    TableName,
    KeySchema,
    AttributeDefinitions,
    BillingMode: 'PAY_PER_REQUEST',
    ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
    ...(definition.GlobalSecondaryIndexes.length > 0 && {
      GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes.map(withoutAbsent),
    }),
  };
  await client.send(new CreateTableCommand(input));
};

type Index = TableDefinition['GlobalSecondaryIndexes'][number];

/** An optional field that is absent must not be there as undefined. */
const withoutAbsent = ({ IndexName, KeySchema, Projection: { ProjectionType, NonKeyAttributes } }: Index) => ({
  IndexName,
  KeySchema,
  Projection: { ProjectionType, ...(NonKeyAttributes && { NonKeyAttributes }) },
});

const expireTable = async (client: DynamoDBClient, definition: TableDefinition, now: number): Promise<number> => {
  const { TableName, KeySchema, TimeToLiveSpecification } = definition;
  if (!TimeToLiveSpecification?.Enabled) return 0;
  const names = KeySchema.map(({ AttributeName }) => AttributeName);
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: '#ttl < :now',
      ProjectionExpression: names.map((_, index) => `#key${index}`).join(', '),
      ExpressionAttributeNames: {
        '#ttl': TimeToLiveSpecification.AttributeName,
        ...Object.fromEntries(names.map((name, index) => [`#key${index}`, name])),
      },
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
    },
  );
  const expired: Record<string, AttributeValue>[] = [];
  for await (const { Items = [] } of pages) expired.push(...Items);
  for (let start = 0; start < expired.length; start += 25) {
    const requests = expired.slice(start, start + 25).map((Key) => ({ DeleteRequest: { Key } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  }
  return expired.length;
};

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type CountChange,
  countAttribute,
  countBuckets,
  countChanges,
  readListed,
  sumChanges,
} from '#core/platform/lists/listing.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item } from '#core/platform/table/table.ts';

/** Thousands of rows that are just there: written past the functions, with the counts that those would have kept. */

const perCall = 25;
/** Calls at once: the emulator does one after the other, and what is between them goes on meanwhile. */
const atOnce = 4;

export type Where = { client: DynamoDBClient; table: string };

/** Writes rows, many at once. */
export const writeRows = async (
  { client, table }: Where,
  rows: Iterable<Item>,
  progress: (done: number) => void = () => undefined,
): Promise<void> => {
  const batches = inBatches(rows);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  let done = 0;
  const writer = async () => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems = {} } = await documents.send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('The emulator left rows unwritten');
      done += batch.length;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, writer));
};

function* inBatches(rows: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < perCall) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The rows of counters as the counter leaves them, made at once: one by one would take it an hour for a long list. */
export const countRowsOf = (listed: Iterable<Item>): Item[] => {
  const rows = new Map<string, Item>();
  const add = ({ list: name, facet, second, n }: CountChange) => {
    for (const { bucket, part } of countBuckets(second)) {
      const key = keys.count(name, bucket);
      const row = rows.get(`${key.pk}\n${key.sk}`) ?? { ...key };
      const attribute = countAttribute(part, facet);
      row[attribute] = Number(row[attribute] ?? 0) + n;
      rows.set(`${key.pk}\n${key.sk}`, row);
    }
  };
  for (const row of listed) for (const change of sumChanges(countChanges(undefined, readListed(row)))) add(change);
  return [...rows.values()];
};

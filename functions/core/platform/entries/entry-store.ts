import { Refusal } from '../operation/errors.ts';
import { keys } from '../table/keys.ts';
import { nextNumber } from '../table/number-store.ts';
import { getItems, type Item, putItem, queryItems } from '../table/table.ts';
import {
  type DataEntry,
  type DataSource,
  type EntryReference,
  lastSeedId,
  listSeeds,
  referencesToCheck,
} from './entries.ts';
import { fromEntryItem, toEntryItem } from './entry-row.ts';

/** All entries of a list, by id: the initial ones, then those that were added. */
export const listEntries = async (source: DataSource): Promise<{ list: DataEntry[]; totalResult: number }> => {
  const added: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.dataEntry(source, 0).pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    added.push(...items);
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
  const list = [...listSeeds(source), ...added.map(fromEntryItem)];
  return { list, totalResult: list.length };
};

/** Adds an entry under a number of its own. */
export const addEntry = async (source: DataSource, fields: Omit<DataEntry, 'id'>): Promise<DataEntry> => {
  const entry = { id: lastSeedId + (await nextNumber(`datasource-${source}`)), ...fields };
  // Only this call has the number, so repeating the write changes nothing.
  await putItem(toEntryItem(source, entry));
  return entry;
};

/** Throws request_invalid, naming each field that names no entry. Reads nothing if all are initial entries. */
export const checkReferences = async (references: readonly EntryReference[]): Promise<void> => {
  const asked = referencesToCheck(references);
  if (asked.length === 0) return;
  const found = await getItems(asked.map(({ source, id }) => keys.dataEntry(source, id)));
  const wrong = asked.filter((_, index) => found[index] === undefined);
  if (wrong.length === 0) return;
  const words = wrong.map(({ field, source }) => `${field}: must be an id of /api/v3/datasource/${source}`);
  throw new Refusal('request_invalid', words.join('; '));
};
